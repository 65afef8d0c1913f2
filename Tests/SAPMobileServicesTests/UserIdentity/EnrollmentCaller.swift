import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import SAPMobileServicesTesting
import Testing

/// Sends requests to a mock's certificate services without the client.
struct EnrollmentCaller: Sendable {
    /// A response in JSON.
    struct Answer: Sendable {
        struct Body: Decodable, Sendable {
            struct Names: Decodable, Sendable, Hashable {
                var dns: [String]?
                var email: [String]?
            }
            struct Field: Decodable, Sendable, Hashable {
                var fieldName: String
                var prompt: String
                var preset: String?
                var type: String
                var confirmField: String?
            }
            struct Template: Decodable, Sendable, Hashable {
                var subject: String
                var subjectAltNamesDNS: String?
            }
            var subject: String?
            var subjectAlternativeNames: Names?
            var keyType: String?
            var certificate: String?
            var message: String?
            var clientMessage: String?
            var messageType: String?
            var disclaimer: String?
            var salt: String?
            var certificateTemplate: Template?
            var inputFields: [Field]?
        }

        let status: Int
        let fields: HTTPFields
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }

        /// The first cookie that is set, in the form in which it is sent back.
        var cookie: String? { fields[.setCookie]?.split(separator: ";").first.map(String.init) }

        var body: Body {
            get throws { try JSONDecoder().decode(Body.self, from: Data(text.utf8)) }
        }
    }

    let mock: MockLandscape
    let transport: AsyncHTTPClientTransport
    let authority: MockCertificateAuthority

    /// Runs a test with a mock of both services, with or without TLS.
    static func run(
        tls: Bool = false, _ change: (inout MockOptions) -> Void = { _ in }, _ body: (EnrollmentCaller) async throws -> Void
    ) async throws {
        let authority = try MockCertificateAuthority()
        var options = MockOptions()
        var discovery = MockCertificateDiscoveryOptions()
        discovery.authority = authority
        options.certificateDiscovery = discovery
        var login = MockSecureLoginOptions()
        login.authority = authority
        options.secureLogin = login
        options.protection = tls ? "UserIdentity" : nil
        if tls { options.certificates = MockCertificateOptions(authority: authority, demand: .page) }
        change(&options)
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.trustRoots = .pem(try authority.pem)
        let transport = AsyncHTTPClientTransport(configuration: configuration)
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
            try await body(EnrollmentCaller(mock: mock, transport: transport, authority: authority))
        }
        try await transport.shutdown()
    }

    func send(
        _ method: HTTPRequest.Method, _ url: URL, token: String? = nil, type: String = "application/json", body: String? = nil,
        identity: ConnectionIdentity? = nil
    ) async throws -> Answer {
        try await send(method, url, token: token, type: type, body: body.map { .text($0) } ?? .none, identity: identity)
    }

    /// Sends a request with a body of any kind, and optionally a cookie.
    func send(
        _ method: HTTPRequest.Method, _ url: URL, token: String? = nil, type: String, body: RequestBody,
        identity: ConnectionIdentity? = nil, cookie: String? = nil
    ) async throws -> Answer {
        var head = HTTPRequest(method: method, url: url)
        if let token { head.headerFields[.authorization] = "Bearer \(token)" }
        if case .none = body.content {} else { head.headerFields[.contentType] = type }
        if let cookie { head.headerFields[.cookie] = cookie }
        var request = SessionRequest(head, body: body)
        request.identity = identity
        let response = try await transport.send(request)
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(
            status: response.head.status.code, fields: response.head.headerFields, bytes: bytes)
    }

    /// Sends a JSON object.
    func post(_ url: URL, token: String? = nil, _ members: [String: Any]) async throws -> Answer {
        let body = try JSONSerialization.data(withJSONObject: members)
        return try await send(.post, url, token: token, body: String(decoding: body, as: UTF8.self))
    }

    /// Sends a form.
    func form(_ url: URL, _ values: [String: String]) async throws -> Answer {
        var components = URLComponents()
        components.queryItems = values.map { URLQueryItem(name: $0.key, value: $0.value) }
        return try await send(
            .post, url, type: "application/x-www-form-urlencoded", body: .text(components.percentEncodedQuery ?? ""))
    }

    /// Sends a certificate request to a Secure Login Server, in a session that has logged in.
    func certificate(_ url: URL, _ der: [UInt8], cookie: String?) async throws -> Answer {
        try await send(.post, url, type: "application/pkcs10", body: .bytes(der), cookie: cookie)
    }

    /// Returns an access token for a user who is logged in elsewhere.
    func token(for user: String = "alice") async throws -> String {
        let passcode = try #require(mock.makePasscode(for: user))
        let configuration = try #require(mock.makeCertificateDiscoveryConfiguration())
        let members = try #require(try JSONSerialization.jsonObject(with: configuration) as? [String: Any])
        let client = try #require(members["com.sap.mobilesecure.certificateService.authType"] as? [String: String])
        let (id, endpoint) = (try #require(client["client_id"]), try #require(client["tokenEndpoint"]))
        let url = try #require(URL(string: endpoint))
        let answer = try await send(
            .post, url, type: "application/x-www-form-urlencoded",
            body: "grant_type=password&client_id=\(id)&passcode=\(passcode)")
        let token = try #require(try JSONSerialization.jsonObject(with: Data(answer.text.utf8)) as? [String: Any])
        return try #require(token["access_token"] as? String)
    }

    /// Makes a certificate request in PEM, and its key.
    static func request(
        _ subject: String = "CN=alice,OU=Sales,O=Example", names: [SubjectAlternativeName] = [],
        kind: IdentityKey.Kind = .p256
    ) throws -> (pem: String, key: IdentityKey) {
        let key = try IdentityKey(generating: kind)
        return (try CertificateRequest(subject: CertificateSubject(subject), alternativeNames: names, key: key).pem, key)
    }

    /// Returns the identity of the certificate in a response and its key.
    static func identity(_ answer: Answer, key: IdentityKey) throws -> ClientIdentity {
        let certificate = try answer.body.certificate
        let blocks = try #require(certificate).components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
        let chain = blocks.compactMap { block in
            let base64 = block.components(separatedBy: "-----END")[0].filter { !$0.isWhitespace }
            return Data(base64Encoded: base64).map(Array.init)
        }
        #expect(chain.count == 2)
        return try ClientIdentity(certificates: chain, privateKey: key)
    }
}
