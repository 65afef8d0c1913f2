import Countersign
import Foundation
import SAPMobileServices
import Testing

private let (api, other) = (ScriptedServers.api, ScriptedServers.other)

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

/// What a redirect from one server to another means for tokens.
@Suite("Tokens and redirects between servers", .timeLimit(.minutes(10)))
struct RedirectedTokenTests {
    @Test func `L1 RT-31 a redirect from elsewhere leads no token to the first server that was asked`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(OAuth2Observer(authenticator: OwnToken(), tokenStore: MemoryTokenStore()))
        #expect(try await session.status("\(api)/data") == 200)
        // No one has named the first server: a server elsewhere must not choose what is done there with the token.
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
}
