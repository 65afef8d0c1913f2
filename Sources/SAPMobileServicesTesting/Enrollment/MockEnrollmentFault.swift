/// A fault of a service that issues certificates.
public enum MockEnrollmentFault: Sendable, Hashable {
    /// The request is not processed. The response has this status and body.
    case answer(status: Int, body: String, contentType: String = "application/json")
    /// The request is not processed. The response is 200 with an HTML page, like a proxy's sign-in page.
    case html
    /// The request is not processed. The connection is reset.
    case connectionReset
    /// The request is processed. Members of the response are replaced by these JSON texts, added, or removed by `nil`.
    case members([String: String?])
    /// The request is processed. The response contains a certificate of the authority for another key.
    case foreignCertificate
    /// The request is processed. The response contains only the authority's own certificate.
    case issuerAlone
}

extension MockEnrollmentFault: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The kind of fault. Bodies and members are not shown, since they may contain secrets.
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

/// An endpoint of a service that issues certificates.
public enum MockEnrollmentEndpoint: String, Sendable, Hashable, CaseIterable {
    /// The certificate attributes of the Certificate Discovery service.
    case attributes
    /// The certificate requests of the Certificate Discovery service.
    case request
    /// The revocation of the Certificate Discovery service.
    case retire
    /// The login pages of the Secure Login Server.
    case login
    /// The certificate requests of the Secure Login Server.
    case certificate
}
