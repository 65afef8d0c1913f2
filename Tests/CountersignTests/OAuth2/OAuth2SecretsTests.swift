import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// RT-30: a secret is in no description, reflection or dump of any type that holds it.
@Suite struct `Secrets of OAuth 2.0` {
    private static let canary = "c4n4ry"

    /// Returns all text that can be obtained from a value.
    private func everything(of value: Any) -> String {
        var text = "\(value)\n\(String(describing: value))\n\(String(reflecting: value))\n"
        dump(value, to: &text)
        dump(["key": value], to: &text)
        var open = [Mirror(reflecting: value)]
        while let mirror = open.popLast() {
            for child in mirror.children {
                text += "\(child.label ?? "") \(child.value) \(String(reflecting: child.value))\n"
                open.append(Mirror(reflecting: child.value))
            }
        }
        if let error = value as? any Error { text += error.localizedDescription }
        if let error = value as? any LocalizedError {
            text += [error.errorDescription, error.failureReason, error.recoverySuggestion, error.helpAnchor].compactMap { $0 }
                .joined()
        }
        return text
    }

    private static let token = OAuth2Token(
        accessToken: canary, tokenType: "Bearer \(canary)", expiryDate: Date(timeIntervalSince1970: 0), scopes: [canary],
        refreshToken: canary)
    private static let serverError = OAuth2ServerError(code: canary, message: canary, uri: canary, state: canary)

    /// Returns a value of each type that holds a secret.
    private func holders() throws -> [Any] {
        let canary = Self.canary
        let url = try #require(URL(string: "https://app.example/\(canary)?code=\(canary)&state=\(canary)#\(canary)"))
        let store = MemoryTokenStore()
        try store.store(token: Self.token, for: url)
        let form = FormParameters(["client_secret": canary])
        let key = try #require(OAuth2ProofKey(verifier: String(repeating: canary, count: 8)))
        let lifetime = TokenLifetime(nil, from: .zero, jitter: 0)
        let members = ["error", "error_description", "error_uri", "state", "x"].map { "\"\($0)\":\"\(canary)\"" }
        let body = "{\(members.joined(separator: ","))}"
        let failure = try #require(TokenAnswer(body, status: 400).failure())
        let clients = [
            OAuth2Client.Authentication.basic(secret: canary, encoding: .form), .basic(secret: canary, encoding: .raw),
            .body(secret: canary),
        ].map { OAuth2Client(identifier: "app", authentication: $0) }
        return [
            Self.token, [Self.token], store, Self.serverError, failure,
            failure.reason, OAuth2IssuedToken(token: Self.token, lifetime: lifetime), form, form.all,
            OAuth2TokenResponseReader(renewing: Self.token, secrets: [canary]), key,
            try OAuth2AuthorizationResponse(url), clients, clients.map(\.authentication),
        ]
    }

    @Test func `RT-30 no canary gets out`() throws {
        for holder in try holders() {
            let text = everything(of: holder)
            #expect(!text.contains(Self.canary), "\(type(of: holder))")
            #expect(text.contains("<redacted>"), "\(type(of: holder))")
        }
    }

    @Test func `RT-30 no value of a run gets out`() throws {
        let url = try #require(URL(string: "https://app.example/\(Self.canary)"))
        let values: [ProgramValue] = [
            .text(Self.canary), .secret(Self.canary), .url(url), .json(Self.canary), .absent,
        ]
        var outcome = PageRun.Outcome(scope: nil)
        for (slot, value) in values.enumerated() { outcome.values[slot] = value }
        let verifier = try #require(OAuth2ProofKey(verifier: String(repeating: Self.canary, count: 8)))
        for holder in [values, outcome, verifier] as [Any] { #expect(!everything(of: holder).contains(Self.canary)) }
    }

    @Test(arguments: [
        #"{"access_token":"c4n4ry"#, #"{"access_token":"c4n4ry","token_type":"c4n4ry"}"#, "c4n4ry",
        #"{"access_token":"c4n4ry\n","token_type":"Bearer"}"#,
        #"{"access_token":"c4n4ry","access_token":"c4n4ry"}"#, #"{"access_token":"c4n4ry"}"#, #"{"c4n4ry":"#,
    ])
    func `RT-30 no canary gets out of an answer that cannot be used`(body: String) throws {
        let failure = try #require(TokenAnswer(body, [.retryAfter: Self.canary, .location: Self.canary]).failure())
        #expect(!everything(of: failure).contains(Self.canary))
    }

    @Test func `descriptions say what may be seen`() {
        let token = OAuth2Token(accessToken: "a", tokenType: "bearer", scopes: ["orders"])
        #expect(
            token.description == "OAuth2Token(accessToken: <redacted>, tokenType: Bearer, 1 scope, no expiry, no refresh token)")
        #expect(FormParameters(["a": "b"]).description == "FormParameters(count: 1, <redacted>)")
        #expect(MemoryTokenStore().description == "MemoryTokenStore(0 tokens, <redacted>)")
    }
}
