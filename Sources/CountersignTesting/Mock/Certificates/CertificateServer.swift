internal import Countersign
internal import HTTPTypes

/// Protects resources by the client certificate of the connection.
struct CertificateServer: MethodServer {
    let name: String
    let usesCookies = false
    let serviceProviderCookies: Set<String> = []
    let identityProviderCookies: Set<String> = []
    private let authority: MockCertificateAuthority

    /// Creates the server for a method; `nil` if the method has another kind of credential, or if the mock has no TLS.
    init?(_ method: MethodDescription, options: MockOptions) {
        guard method.credential == .clientCertificate, let certificates = options.certificates else { return nil }
        name = method.name
        authority = certificates.authority
    }

    func serviceProviderPage(for request: MockRequest) async -> MockResponse? { nil }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }

    func admit(_ request: MockRequest) -> MockAdmission {
        guard let certificate = request.certificate else { return .challenged(challenge()) }
        guard let user = authority.user(of: certificate) else { return .challenged(Self.page("The SSL certificate error")) }
        return .user(user)
    }

    func challenge() -> MockResponse { Self.page("No required SSL certificate was sent") }
    func endSession(of request: MockRequest) -> Bool { false }
    func endAllSessions() {}

    private static func page(_ reason: String) -> MockResponse {
        MockResponse(
            status: .badRequest, fields: [.contentType: "text/html"],
            body: Array(
                """
                <html>\r\n<head><title>400 \(reason)</title></head>\r\n<body>\r\n<center><h1>400 Bad Request</h1></center>\r
                <center>\(reason)</center>\r\n</body>\r\n</html>\r\n
                """.utf8))
    }
}
