import Countersign
import Foundation
import SAPMobileServices
import TestTurns
import Testing

private let (api, other) = (ScriptedServers.api, ScriptedServers.other)

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// The effect of a redirect from one server to another on tokens.
@Suite("Tokens and redirects between servers", .takesTurns, .timeLimit(.minutes(10)))
struct RedirectedTokenTests {
    @Test func `L1 RT-31 a redirect from elsewhere leads no token to the first server that was asked`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(OAuth2Observer(authenticator: OwnToken(), tokenStore: MemoryTokenStore()))
        #expect(try await session.status("\(api)/data") == 200)
        // The application has not named the first server, so a server elsewhere must not cause requests with the token there.
        #expect(try await session.status("\(other)/here") == 401)
        #expect(servers.sent.last?.origin == api)
        #expect(servers.sent.last?["Authorization"] == nil)
        #expect(try await session.status("\(api)/data") == 200)
    }

    @Test func `L1 with anywhere, too, a redirect leads no token to a server that has one`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, protecting: .anywhere))
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(other)/here") == 401)
        #expect(servers.sent.last?.origin == api)
        #expect(servers.sent.last?["Authorization"] == nil)
    }

    @Test func `M2 a redirect from one protected server to another is followed by a login at each, and ends in the data`()
        async throws
    {
        let servers = ScriptedServers { sent in
            if sent.path.hasSuffix("/token") { return .token("t") }
            guard sent["Authorization"] == "Bearer t" else { return .bearer }
            return sent.path == "/there" ? .redirect(to: "\(other)/data") : .data
        }
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, protecting: [try url(api), try url(other)]))
        #expect(try await session.status("\(api)/there") == 200)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, "Bearer t"])
    }

    @Test func `M2 two protected servers that redirect to each other and take no token end in the method's error`() async throws {
        let servers = ScriptedServers { sent in
            if sent.path.hasSuffix("/token") { return .token("t") }
            guard sent["Authorization"] == "Bearer t" else { return .bearer }
            // The other server accepts the token once and redirects back, and the first server then refuses the token that it
            // accepted before.
            if sent.origin == other { return .redirect(to: "\(api)/refusing") }
            return sent.path == "/there" ? .redirect(to: "\(other)/data") : .bearer
        }
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, protecting: [try url(api), try url(other)]))
        let error = await #expect(throws: OAuth2Error.self) { try await session.status("\(api)/there") }
        guard case .tokenRejected? = error else {
            Issue.record("not tokenRejected but \(String(describing: error))")
            return
        }
    }
}
