/// Something that goes wrong at a service that gives out certificates.
public enum MockEnrollmentFault: Sendable, Hashable {
    /// The request is not processed; the answer has this status and body.
    case answer(status: Int, body: String, contentType: String = "application/json")
    /// The request is not processed; the answer is 200 and a page, as a proxy gives that wants the user to sign in.
    case html
    /// The request is not processed; the connection is reset.
    case connectionReset
    /// The request is processed; members of the answer are replaced by these JSON texts, added, or taken away by `nil`.
    case members([String: String?])
    /// The request is processed; the certificate in the answer is one of the authority's for another key.
    case foreignCertificate
    /// The request is processed; the certificate in the answer is the authority's own alone.
    case issuerAlone
}

extension MockEnrollmentFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of fault; bodies and members may hold secrets and are not shown.
    public var description: String {
        switch self {
        case .answer(let status, _, _): "answer with status \(status)"
        case .html: "a page"
        case .connectionReset: "connection reset"
        case .members(let members): "members \(members.keys.sorted())"
        case .foreignCertificate: "a certificate of another key"
        case .issuerAlone: "the issuer's certificate alone"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An address at which certificates are asked for or given back.
public enum MockEnrollmentEndpoint: String, Sendable, Hashable, CaseIterable {
    /// What the certificate discovery service says of a user.
    case attributes
    /// Where it takes certificate requests.
    case request
    /// Where it takes certificates back.
    case retire
    /// The pages of the Secure Login Server.
    case login
    /// Where the Secure Login Server takes certificate requests.
    case certificate
}
