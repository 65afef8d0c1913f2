internal import CountersignIdentity
internal import CountersignTesting
internal import SwiftASN1
internal import X509

/// What a certificate of one user has to look like, in the words of the service and as certificates have it.
struct CertificateAttributes: Sendable {
    let subject: String
    let dns: [String]
    let email: [String]
    let keyType: MockCertificateDiscoveryOptions.KeyType?

    init(for user: String, options: MockCertificateDiscoveryOptions) {
        let made = try? CertificateSubject([(.commonName, user), (.organizationalUnit, "Sales"), (.organization, "Example")])
        subject = options.subject ?? made?.description ?? ""
        dns = options.dns
        email = options.email
        keyType = options.keyType
    }

    /// The answer of the service; what there is none of is left out.
    var members: JSONMembers {
        var members = JSONMembers()
        members.set("subject", to: subject)
        var names = JSONMembers()
        if !dns.isEmpty { names.set("dns", toTexts: dns) }
        if !email.isEmpty { names.set("email", toTexts: email) }
        if !dns.isEmpty || !email.isEmpty { members.set("subjectAlternativeNames", toJSON: names.text) }
        if let keyType { members.set("keyType", to: keyType.rawValue) }
        return members
    }

    /// What about a request does not agree; `nil` if all does.
    func disagreement(with request: CertificateSigningRequest) -> String? {
        // The text is compared, in its normal form: the same name can be encoded in more than one way.
        guard let subject = try? CertificateSubject(subject), request.subject.description == subject.description else {
            return "The request is for another subject."
        }
        guard let names = try? Self.alternativeNames(of: request), names.count == dns.count + email.count,
            Set(names) == Set(dns.map(GeneralName.dnsName) + email.map(GeneralName.rfc822Name))
        else { return "The request is for other alternative names." }
        guard keyType.map({ $0.isKind(of: request.publicKey) }) ?? true else { return "The request is for another kind of key." }
        return nil
    }

    private static func alternativeNames(of request: CertificateSigningRequest) throws -> [GeneralName] {
        guard let extensions = try request.attributes.extensionRequest?.extensions else { return [] }
        return try extensions.subjectAlternativeNames.map(Array.init) ?? []
    }
}
