import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignTesting

/// The server's own types show none of the secrets that they hold.
@Suite(.takesTurns) struct RedactedTests {
    private let canary = "canary-4711"

    private func shown(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) \(Mirror(reflecting: value).children.map { "\($0)" })"
        dump(value, to: &text)
        return text
    }

    @Test func `the server's parts do not show parameters, codes and tokens`() throws {
        let parameters = OAuth2Parameters(try #require(FormFields("client_secret=\(canary)&code=\(canary)".utf8)))
        var members = JSONMembers()
        members.set("access_token", to: canary)
        var options = MockOAuth2Options()
        options.users = ["alice": canary]
        let client = MockOAuth2Client(id: "app", secret: canary)
        options.clients = [client]
        let server = AuthorizationServer(options: options, address: "http://127.0.0.1")
        var ledger = TokenLedger(
            rules: TokenLedger.Rules(
                codeLifetime: .seconds(1), deviceCodeLifetime: .seconds(1), deviceInterval: .seconds(1),
                passcodeLifetime: .seconds(1), accessTokenLifetime: .seconds(1), refreshTokenLifetime: nil,
                rotatesRefreshTokens: true,
                reuseLeeway: .zero), random: SystemRandomNumberGenerator())
        let issue = ledger.issue(to: client, scopes: [], at: .now)
        #expect(parameters["code"] == canary)
        #expect(members.text.contains(canary))
        let values: [Any] = [
            parameters, members, server, ledger, issue, OAuth2Routes(server),
            AuthorizationEndpoint(server, faults: FaultQueue()),
            ClientAuthentication([client], address: "", issuer: "", recorder: OAuth2Recorder()),
        ]
        for value in values {
            #expect(!shown(value).contains(canary))
            #expect(!shown(value).contains(issue.accessToken))
        }
        #expect(shown(ledger).contains("TokenLedger(<redacted>)"))
    }
}
