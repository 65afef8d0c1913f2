import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

private let (api, other, login) = (ScriptedServers.api, ScriptedServers.other, ScriptedServers.login)

private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

// MARK: - Keys, passwords, identities

/// The origins that receive credentials that are configured without settings (B19, RT-31).
@Suite("Protected URLs of credentials that the application gives", .takesTurns, .timeLimit(.minutes(10)))
struct ProtectedCredentialTests {
    /// Makes servers that accept a key, and challenge requests without it only if `challenging` is `true`.
    private static func servers(challenging: Bool = true) -> ScriptedServers {
        ScriptedServers { sent in
            if sent.path == "/there" { return .redirect(to: "\(other)/data") }
            if sent.path == "/here" { return .redirect(to: "\(api)/data") }
            return sent["X-API-Key"] == "key" || !challenging ? .data : Answer(status: 401)
        }
    }

    private typealias Answer = ScriptedServers.Answer

    private static func observer(_ protectedURLs: ProtectedOrigins? = nil, only: Bool = true) -> APIKeyAuthenticationObserver {
        APIKeyAuthenticationObserver(
            apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: APIKeyAuthenticationConfig(apikeys: ["key"])),
            isAPIKeyAccessOnly: only, protectedURLs: protectedURLs)
    }

    @Test(arguments: [true, false])
    func `B19 RT-31 an API key goes to the first server that is asked, and an event says that no other received it`(
        only: Bool
    ) async throws {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer(only: only))
        #expect(try await session.status("\(api)/data") == 200)
        for _ in 0..<3 { #expect(try await session.status("\(other)/data") == 401) }
        #expect(servers.sent(to: other).map { $0["X-API-Key"] } == [nil, nil, nil])
        #expect(servers.withheld == [other], "once for each origin")
        #expect(try await session.status("\(api)/more") == 200)
    }

    @Test func `B19 a server that does not even ask for the key receives none, and an event says so`() async throws {
        let servers = Self.servers(challenging: false)
        let session = servers.session()
        session.register(Self.observer(only: false))
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(other)/data") == 200)
        #expect(servers.sent.map { $0["X-API-Key"] } == ["key", nil])
        #expect(servers.withheld == [other])
    }

    @Test func `B19 the first server stays the one, also after a logout and for another port or scheme`() async throws {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer())
        #expect(try await session.status("\(api)/data") == 200)
        session.endSession()
        for elsewhere in ["\(api):8443/data", "http://localhost/data", "\(other)/data"] {
            #expect(try await session.status(elsewhere) == 401)
            #expect(servers.sent.last?["X-API-Key"] == nil)
        }
        #expect(try await session.status("\(api)/data") == 200)
    }

    @Test func `B19 each session, and each observer, has a first server of its own`() async throws {
        let servers = Self.servers()
        let observer = Self.observer()
        let (first, second) = (servers.session(), servers.session())
        first.register(observer)
        second.register(observer)
        #expect(try await first.status("\(api)/data") == 200)
        #expect(try await second.status("\(other)/data") == 200)
        #expect(servers.withheld == [])
    }

    @Test func `RT-31 a redirect leads no API key from the first server to another, nor from another to the first`() async throws {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer())
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(api)/there") == 401)
        #expect(servers.sent(to: other).map { $0["X-API-Key"] } == [nil])
        // The application has not named the first server, so a server elsewhere must not cause requests with the key there.
        #expect(try await session.status("\(other)/here") == 401)
        #expect(servers.sent.last?.origin == api)
        #expect(servers.sent.last?["X-API-Key"] == nil)
    }

    @Test func `B19 RT-31 servers that are named receive the key, directly and by a redirect, and no other does`() async throws {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer([try url(api), try url("\(other)/some/path?query")]))
        #expect(try await session.status("\(other)/data") == 200)
        #expect(try await session.status("\(api)/there") == 200)
        #expect(try await session.status("\(other)/here") == 200)
        #expect(try await session.status("\(login)/data") == 401)
        #expect(servers.sent(to: login).map { $0["X-API-Key"] } == [nil])
        #expect(servers.withheld == [login])
    }

    @Test func `B19 anywhere is a word that says so: each server that is asked receives the key, a redirect's target does not`()
        async throws
    {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer(.anywhere))
        for origin in [api, other, login] { #expect(try await session.status("\(origin)/data") == 200) }
        #expect(try await session.status("\(api)/there") == 401)
        #expect(servers.sent.last?["X-API-Key"] == nil)
    }

    @Test func `B19 a password goes to the first server that is asked, and an event says that another asked for it`()
        async throws
    {
        let servers = ScriptedServers { $0["Authorization"] == nil ? .basic : .data }
        let session = servers.session()
        let discovery = ScriptedDiscovery(("alice", "wonderland"), ("alice", "wonderland"))
        session.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(other)/data") == 401)
        #expect(discovery.asked.count == 1)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil])
        #expect(servers.withheld == [other])

        let named = servers.session()
        named.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery, protectedURLs: [try url(other)]))
        #expect(try await named.status("\(other)/data") == 200)
    }

    @Test func `B19 a client certificate goes to the first server that is asked, whichever demands one`() async throws {
        let servers = ScriptedServers { sent in
            guard sent.identity == nil else { return .data }
            throw TransportError(.clientCertificate, detail: "demanded", requestMayHaveBeenProcessed: false)
        }
        let authority = try MockCertificateAuthority()
        let archive = try authority.archive(for: "alice")
        let discovery = ScriptedIdentities(.success(archive), .success(archive))
        let session = servers.session()
        session.register(UserIdentityObserver(userIdentityDiscovery: discovery))
        #expect(try await session.status("\(api)/data") == 200)
        await #expect(throws: URLError.self) { try await session.status("\(other)/data") }
        #expect(discovery.count == 1)
        #expect(servers.sent(to: other).map { $0.identity == nil } == [true])
        #expect(servers.withheld == [other])

        let named = servers.session()
        named.register(UserIdentityObserver(userIdentityDiscovery: discovery, protectedURLs: [try url(api), try url(other)]))
        #expect(try await named.status("\(other)/data") == 200)
    }

    @Test func `B19 a server that would get the credential unencrypted is not taken for the first`() async throws {
        let servers = Self.servers()
        let session = servers.session()
        session.register(Self.observer(only: false))
        #expect(try await session.status("http://portal.example/data") == 401)
        #expect(try await session.status("\(api)/data") == 200)
        #expect(servers.sent.map { $0["X-API-Key"] } == [nil, "key"])
    }
}

// MARK: - Tokens

/// The origins that receive tokens obtained with parameters (B19, RT-31).
@Suite("Protected URLs of tokens", .takesTurns, .timeLimit(.minutes(10)))
struct ProtectedTokenTests {
    /// Parameters without settings, whose token endpoint is not at the server of the data.
    private static var bare: OAuth2ClientCredentialsAuthenticationParameters {
        get throws {
            try OAuth2ClientCredentialsAuthenticationParameters(tokenEndpointURL: url("\(login)/token"), name: "n", secret: "s")
        }
    }

    @Test func `B19 a foreign server that answers 401 Bearer causes no token request and gets no token, though it is asked first`()
        async throws
    {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters))
        #expect(try await session.status("\(other)/data") == 401)
        #expect(servers.sent.map(\.origin) == [other])
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(other)/data") == 401)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, nil])
        #expect(servers.sent.filter { $0.path.hasSuffix("/token") }.count == 1)
        #expect(servers.withheld == [other])
    }

    @Test func `B19 the server of the settings receives the token, wherever the token comes from`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        var parameters = try ScriptedServers.parameters
        parameters.tokenEndpointURL = try url("\(login)/token")
        session.register(servers.tokenObserver(parameters))
        #expect(try await session.status("\(api)/data") == 200)
        #expect(servers.sent.map(\.origin) == [api, login, api])
        #expect(try await session.status("\(login)/data") == 401)
    }

    @Test func `B19 without settings the servers of the endpoints receive the token, and others when they are named`()
        async throws
    {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(servers.tokenObserver(try Self.bare))
        #expect(try await session.status("\(api)/data") == 401)
        #expect(servers.withheld == [api])
        #expect(try await session.status("\(login)/data") == 200)

        let named = servers.session()
        named.register(servers.tokenObserver(try Self.bare, protecting: [try url(api)]))
        #expect(try await named.status("\(api)/data") == 200)
        #expect(try await named.status("\(login)/data") == 401)
    }

    @Test(arguments: [true, false])
    func `B19 the servers of both endpoints receive the token of a user's login, that of an embedded page does not`(
        hasPasscode: Bool
    ) async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        let store = MemoryTokenStore()
        for origin in [api, other, login] {
            try store.store(token: OAuth2Token(accessToken: "t", tokenType: "Bearer"), for: url("\(origin)/"))
        }
        let (page, tokens) = (try url("\(login)/authorize"), try url("\(other)/token"))
        let redirect = try url("com.example.app://callback")
        if hasPasscode {
            let parameters = OAuth2PasswordAuthenticationParameters(
                authorizationEndpointURL: page, clientID: "c", redirectURL: redirect, tokenEndpointURL: tokens, passcode: "p")
            session.register(OAuth2Observer(passwordAuthenticationParameters: parameters, tokenStore: store))
        } else {
            let parameters = OAuth2AuthenticationParameters(
                authorizationEndpointURL: page, clientID: "c", redirectURL: redirect, tokenEndpointURL: tokens,
                xsuaaAuthorizationURL: try url("\(api)/page"))
            session.register(OAuth2Observer(authenticationParameters: parameters, tokenStore: store))
        }
        for origin in [login, other] { #expect(try await session.status("\(origin)/data") == 200) }
        #expect(try await session.status("\(api)/data") == 401)
        #expect(servers.sent.map { $0["Authorization"] } == ["Bearer t", "Bearer t", nil])
    }

    @Test func `RT-31 a redirect leads the token to a server that the settings or a list name, and to no other`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters))
        #expect(try await session.status("\(other)/here") == 200, "the settings name the redirect's target")
        #expect(try await session.status("\(api)/there") == 401)
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil, nil])
        #expect(servers.withheld == [other])
    }

    @Test func `B19 anywhere lets each server that is asked have a token`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(servers.tokenObserver(try ScriptedServers.parameters, protecting: .anywhere))
        for origin in [api, other] { #expect(try await session.status("\(origin)/data") == 200) }
    }

    @Test func `B19 a token of an application's own goes to the first server that is asked`() async throws {
        let servers = ScriptedServers.withTokens()
        let session = servers.session()
        session.register(OAuth2Observer(authenticator: OwnToken(), tokenStore: MemoryTokenStore()))
        #expect(try await session.status("\(api)/data") == 200)
        #expect(try await session.status("\(other)/data") == 401)
        #expect(servers.withheld == [other])
        #expect(servers.sent(to: other).map { $0["Authorization"] } == [nil])
    }
}

// MARK: - The value

@Suite("Protected origins", .takesTurns) struct ProtectedOriginsTests {
    @Test func `a list has the origins of its URLs, whatever else is in them`() throws {
        let origins: ProtectedOrigins = [try url("HTTPS://api.example:443/a?b#c"), try url(api), try url("http://localhost:8080")]
        #expect(origins.origins?.map(\.description).sorted() == ["http://localhost:8080", api])
        let same: ProtectedOrigins = [try url("http://localhost:8080/x"), try url(api)]
        #expect(origins == same)
        #expect(origins != .anywhere)
        #expect(ProtectedOrigins.anywhere.origins == nil)
        #expect("\(ProtectedOrigins.anywhere)" == "anywhere")
    }

    @Test(arguments: ["backend", "/path", "mailto:a@b.example", "ftp://a.example/", "https:///path"])
    func `a URL without an origin is a typed error where the list comes from elsewhere`(text: String) throws {
        let urls = [try url(api), try url(text)]
        let error = #expect(throws: CountersignError.self) { try ProtectedOrigins(urls) }
        #expect(error?.code == .noOrigin)
        let detail = error?.detail ?? ""
        #expect(detail.contains("URL 2"))
        #expect(!detail.contains(text))
        #expect(try ProtectedOrigins([URL]().dropFirst()).origins == [])
    }

    @Test(.exitsAlone) func `a URL without an origin in a literal stops the program and says why`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let backend = try #require(URL(string: "backend"))
            _ = [backend] as ProtectedOrigins
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.contains("protected URL 1 has no origin"))
    }

    @Test func `an empty list lets no server receive anything`() async throws {
        let servers = ScriptedServers { $0["X-API-Key"] == nil ? .init(status: 401) : .data }
        let session = servers.session()
        session.register(
            APIKeyAuthenticationObserver(
                apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: APIKeyAuthenticationConfig(apikeys: ["key"])),
                isAPIKeyAccessOnly: true, protectedURLs: []))
        #expect(try await session.status("\(api)/data") == 401)
        #expect(servers.withheld == [api])
    }
}
