internal import CountersignIdentity
internal import CountersignTesting
internal import SwiftASN1
internal import X509

/// The required attributes of a user's certificate.
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

    /// The response of the service, without empty attributes.
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

    /// Returns the first mismatch of a certificate request; `nil` if it has the required attributes.
    func disagreement(with request: CertificateSigningRequest) -> String? {
        // The normalized texts are compared, because the same name can be encoded in several ways.
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
