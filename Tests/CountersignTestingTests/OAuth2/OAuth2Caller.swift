import CountersignTesting
import Foundation
import NIOHTTP1
import Testing

/// A client that sends only what a test demands.
struct OAuth2Caller {
    /// A token response, or an error.
    struct Answer: Decodable {
        var access_token: String?
        var refresh_token: String?
        var token_type: String?
        var expires_in: Int?
        var scope: String?
        var error: String?
        var error_description: String?
        var error_uri: String?
    }

    /// The authentication of a client.
    enum Proof {
        case none
        /// HTTP Basic with this text.
        case basic(String)
    }

    /// The pair of RFC 7636, appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let redirectURI = "https://app.example/callback"
    /// The service's identifier and secret in the encoding of RFC 6749, section 2.3.1.
    static let service = Proof.basic("service%3A1:s%253A%2B+%26%3D%3A%2F%3F%C3%BC")

    let client: RawClient
    let server: MockAuthorizationServer

    // MARK: Authorization

    /// Returns a valid authorization request with some parameters changed; `nil` removes one.
    static func parameters(_ changes: [String: String?] = [:]) -> [String: String] {
        var parameters: [String: String] = [
            "response_type": "code", "client_id": "app", "redirect_uri": redirectURI, "state": "s t&a=t+e",
            "code_challenge": challenge, "code_challenge_method": "S256",
        ]
        for (name, value) in changes { parameters[name] = value }
        return parameters
    }

    static func query(_ parameters: [String: String]) -> String {
        parameters.map { "\(encode($0.key))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Sends a request to the authorization endpoint.
    func authorize(
        _ changes: [String: String?] = [:], more: String = "", cookies: [String?] = []
    ) async throws -> RawClient.Answer {
        let query = Self.query(Self.parameters(changes)) + more
        return try await client.send(.GET, "\(server.authorizationEndpoint.absoluteString)?\(query)", cookies: cookies)
    }

    /// Fills in the login form.
    func submit(
        _ page: RawClient.Answer, user: String = "alice", password: String = "wonderland", more: [String: String] = [:]
    ) async throws -> RawClient.Answer {
        var fields = page.formFields.merging(more) { $1 }
        fields["j_username"] = user
        fields["j_password"] = password
        let action = server.baseURL.absoluteString + (page.formAction ?? "")
        return try await client.post(action, form: fields, cookies: [page.cookie("mock-oauth2-browser")])
    }

    /// Performs a whole login, and returns the code.
    func code(_ changes: [String: String?] = [:]) async throws -> String {
        let answer = try await submit(try await authorize(changes))
        return try #require(answer.parameter("code"))
    }

    // MARK: Tokens

    /// Posts a form to the token endpoint.
    func post(_ form: [String: String], as proof: Proof = .none, to url: URL? = nil) async throws -> RawClient.Answer {
        try await post(text: Self.query(form), as: proof, to: url)
    }

    func post(text: String, as proof: Proof = .none, to url: URL? = nil) async throws -> RawClient.Answer {
        var headers: HTTPHeaders = ["content-type": "application/x-www-form-urlencoded"]
        if case .basic(let text) = proof {
            headers.add(name: "authorization", value: "Basic \(Data(text.utf8).base64EncodedString())")
        }
        return try await client.send(
            .POST, (url ?? server.tokenEndpoint).absoluteString, headers: headers, body: Array(text.utf8))
    }

    /// Redeems a code, with some parameters changed.
    func redeem(_ code: String, _ changes: [String: String?] = [:]) async throws -> RawClient.Answer {
        var form: [String: String] = [
            "grant_type": "authorization_code", "client_id": "app", "code": code, "redirect_uri": Self.redirectURI,
            "code_verifier": Self.verifier,
        ]
        for (name, value) in changes { form[name] = value }
        return try await post(form)
    }

    /// Performs a whole login, and returns the tokens.
    func tokens(_ changes: [String: String?] = [:]) async throws -> Answer {
        try await redeem(try await code(changes)).oauth
    }

    func refresh(_ token: String?, _ changes: [String: String] = [:]) async throws -> RawClient.Answer {
        try await post(
            ["grant_type": "refresh_token", "client_id": "app", "refresh_token": token ?? ""].merging(changes) { $1 })
    }

    func revoke(_ token: String?, _ changes: [String: String] = [:]) async throws -> RawClient.Answer {
        try await post(["client_id": "app", "token": token ?? ""].merging(changes) { $1 }, to: server.revocationEndpoint)
    }

    // MARK: Resources

    /// Requests a resource with an access token.
    func resource(_ token: String?, path: String = "resource", scheme: String = "Bearer") async throws -> RawClient.Answer {
        try await client.get(
            server.baseURL.appending(path: path), headers: token.map { ["authorization": "\(scheme) \($0)"] } ?? [:])
    }

    static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}

extension RawClient.Answer {
    /// The JSON response of the token endpoint.
    var oauth: OAuth2Caller.Answer {
        get throws { try JSONDecoder().decode(OAuth2Caller.Answer.self, from: Data(bytes)) }
    }

    /// Returns a parameter of the URL to which the browser is redirected.
    func parameter(_ name: String) -> String? { parameters(name).first }

    func parameters(_ name: String) -> [String] {
        URLComponents(string: location ?? "")?.queryItems?.filter { $0.name == name }.compactMap(\.value) ?? []
    }
}

/// Runs a test with a server and a client for it, and closes both at the end.
func withServer(
    _ options: MockOAuth2Options = .withoutTime(), change: (inout MockOAuth2Options) -> Void = { _ in },
    _ body: (OAuth2Caller, MockAuthorizationServer) async throws -> Void
) async throws {
    var options = options
    change(&options)
    try await MockAuthorizationServer.run(options: options) { server in
        try await RawClient.run { client in try await body(OAuth2Caller(client: client, server: server), server) }
    }
}

extension MockOAuth2Options {
    /// Options with a clock that advances only when a test does so, regardless of the test's duration.
    static func withoutTime() -> MockOAuth2Options {
        var options = MockOAuth2Options()
        let start = ContinuousClock.now
        options.now = { start }
        return options
    }
}
