import Auth0
import Countersign
import CountersignTesting
import Crypto
import EntraID
import Foundation
import GitHub
import GitLab
import Google
import HTTPTypes
import Keycloak
import Okta
import Synchronization
import TestTurns
import Testing

/// The generated clients of popular products, on sockets, with servers that have the peculiarities of each.
@Suite(.takesTurns) struct PopularProductsTests: OpenIDBench {
    private static let key = P256.Signing.PrivateKey()

    static var options: MockOAuth2Options {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.scopes = ["openid", "offline_access", "read", "write"]
        options.clients += [
            MockOAuth2Client(
                id: "keyed", redirectURIs: ["http://127.0.0.1/callback"],
                grants: [.authorizationCode, .refreshToken, .clientCredentials], key: key.publicKey.pemRepresentation),
            MockOAuth2Client(
                id: "posting", secret: "s3cret", redirectURIs: ["http://127.0.0.1/callback"], authentications: [.body]),
            MockOAuth2Client(id: "screen", secret: "s3cret", grants: [.deviceCode, .refreshToken], authentications: [.body]),
            MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]),
        ]
        return options
    }

    private static var redirect: URL {
        get throws { try #require(URL(string: "http://127.0.0.1/callback")) }
    }

    /// Runs a test with a session whose user types the codes of devices.
    private func runDevice(
        _ change: (inout MockOAuth2Options) -> Void, _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        try await run(User(), change) { (server, session) async throws in
            var configuration = SessionConfiguration()
            configuration.userCodePresenter = MockDeviceUser("alice", at: server)
            let device = Session(configuration: configuration, transport: session.transport)
            try await body(server, device)
        }
    }

    // MARK: Keycloak

    @Test func `Keycloak: a realm has an issuer of its own`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.issuerPath = "/realms/demo"
            options.openID?.metadataPath = "/realms/demo/.well-known/openid-configuration"
        }
        try await run(user, change) { (server, session) async throws in
            session.register(
                Keycloak.OpenIDLoginObserver(
                    parameters: Keycloak.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL.appending(path: "realms/demo"), clientID: "app",
                        redirectURL: try Self.redirect)))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `Keycloak: another realm's metadata are refused`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.issuerPath = "/realms/other"
            options.openID?.metadataPath = "/realms/demo/.well-known/openid-configuration"
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(
                Keycloak.OpenIDLoginObserver(
                    parameters: Keycloak.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL.appending(path: "realms/demo"), clientID: "app",
                        redirectURL: try Self.redirect)))
            #expect(await code { try await call(server, session) } == .unexpectedAnswer)
            #expect(server.statistics.authorizationRequests == 0)
        }
    }

    /// Returns the query of the first login page of a session with an observer.
    private func query(of observer: some SessionObserver, _ server: MockAuthorizationServer, _ session: Session) async throws
        -> [String: String]
    {
        server.resetStatistics()
        session.register(observer)
        #expect(try await call(server, session) == 200)
        session.unregister(observer)
        return try #require(server.statistics.authorizationParameters.first)
    }

    @Test func `Keycloak: the user can be sent to another identity provider`() async throws {
        try await run { (server, session) async throws in
            var parameters = Keycloak.OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)
            let plain = try await query(of: Keycloak.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(plain["kc_idp_hint"] == nil)
            parameters.identityProvider = "google"
            let sent = try await query(of: Keycloak.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(sent["kc_idp_hint"] == "google")
        }
    }

    // MARK: Entra ID

    @Test func `Entra ID: the page knows the user's directory`() async throws {
        try await run { (server, session) async throws in
            var parameters = EntraID.OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)
            let plain = try await query(of: EntraID.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(plain["domain_hint"] == nil)
            parameters.domainHint = "contoso.com"
            parameters.loginHint = "alice@contoso.com"
            let sent = try await query(of: EntraID.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(sent["domain_hint"] == "contoso.com" && sent["login_hint"] == "alice@contoso.com")
            #expect(sent["claims"] != nil)
        }
    }

    @Test func `Entra ID: a service that wants other claims gets them, while the token serves other calls`() async throws {
        let user = User()
        let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#
        try await run(user, { $0.oddities.claims = ["/data/secret": claims] }) { (server, session) async throws in
            session.register(
                EntraID.OpenIDLoginObserver(
                    parameters: EntraID.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)))
            #expect(try await call(server, session) == 200)
            #expect(user.count == 1)
            #expect(try await call(server, session, "data/secret") == 200)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
            #expect(server.statistics.authenticationRefusals == 1)
        }
    }

    @Test func `Entra ID: each login says that the client answers claims challenges, beside what one wants`() async throws {
        let user = User()
        let both = #"{"access_token":{"xms_cc":{"values":["cp1"]},"nbf":{"essential":true,"value":"1700000000"}}}"#
        let capability = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#
        try await run(user, { $0.oddities.claims = ["/data": capability, "/data/secret": both] }) {
            (server, session) async throws in
            session.register(
                EntraID.OpenIDLoginObserver(
                    parameters: EntraID.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authenticationRefusals == 0)
            #expect(try await call(server, session, "data/secret") == 200)
            #expect(user.count == 2)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authenticationRefusals == 1 && user.count == 2)
        }
    }

    @Test(arguments: ["!!!", "AAAA", "bm8=", "W10="]) func `Entra ID: claims that cannot be read bring no login`(text: String)
        async throws
    {
        let user = User()
        try await MockAuthorizationServer.run(options: Self.options) { (server) async throws in
            await withSession(presenter: user) { (session) async throws in
                let demand = ClaimsDemand(text)
                session.register(demand)
                session.register(
                    EntraID.OpenIDLoginObserver(
                        parameters: EntraID.OpenIDLoginParameters(
                            apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)))
                #expect(try await call(server, session) == 200)
                demand.isMade.store(true, ordering: .relaxed)
                #expect(await code { try await call(server, session) } == .unusableChallenge)
                #expect(user.count == 1)
            }
        }
    }

    @Test func `Entra ID: the page for the code of a device is on other servers, and no endpoint is`() async throws {
        try await runDevice({ _ in }) { (server, session) async throws in
            let parameters = EntraID.OpenIDDeviceParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "television")
            #expect(parameters.pages == URL(string: "https://microsoft.com"))
            #expect(parameters.otherPages == URL(string: "https://www.microsoft.com"))
            session.register(EntraID.OpenIDDeviceObserver(parameters: parameters))
            server.inject(
                MockPublicationFault.metadata(["token_endpoint": #""https://microsoft.com/token""#]), times: 1)
            #expect(await code { try await call(server, session) } == .addressRefused)
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `Entra ID: a device requests the claims that a service wants, beside its capability`() async throws {
        let capability = #"{"access_token":{"xms_cc":{"values":["cp1"]}}}"#
        let both = #"{"access_token":{"xms_cc":{"values":["cp1"]},"acrs":{"essential":true,"value":"c1"}}}"#
        try await runDevice({ $0.oddities.claims = ["/data": capability, "/data/secret": both] }) {
            (server, session) async throws in
            session.register(
                EntraID.OpenIDDeviceObserver(
                    parameters: EntraID.OpenIDDeviceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "television")))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authenticationRefusals == 0)
            for path in ["data/secret", "data", "data/secret"] {
                #expect(try await call(server, session, path) == 200)
            }
            #expect(server.statistics.authenticationRefusals == 1)
            #expect(server.statistics.deviceAuthorizations == 2)
            #expect(server.statistics.refreshes == 0)
        }
    }

    @Test func `Entra ID: assertions have the thumbprint of the certificate, and are for the token endpoint`() async throws {
        let certificate = [UInt8]((0..<48).map { UInt8($0) })
        let block = "-----BEGIN CERTIFICATE-----\n\(Data(certificate).base64EncodedString())\n-----END CERTIFICATE-----"
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.assertionsNameEndpoint = true
            var client = MockOAuth2Client(
                id: "certified", redirectURIs: ["http://127.0.0.1/callback"],
                grants: [.authorizationCode, .refreshToken, .clientCredentials], key: Self.key.publicKey.pemRepresentation)
            client.keyCertificate = certificate
            options.clients.append(client)
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(
                EntraID.OpenIDLoginObserver(
                    parameters: EntraID.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "certified", redirectURL: try Self.redirect,
                        clientKey: "\(Self.key.pemRepresentation)\n\(block)")))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.assertions == 2)
        }
        try await run(User(), change) { (server, session) async throws in
            func observer(_ key: String) -> EntraID.OpenIDServiceObserver {
                EntraID.OpenIDServiceObserver(
                    parameters: EntraID.OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "certified", clientKey: key))
            }
            let lacking = observer(Self.key.pemRepresentation)
            session.register(lacking)
            #expect(await code { try await call(server, session) } == .refusedByServer)
            session.unregister(lacking)
            session.register(observer("\(block)\n\(Self.key.pemRepresentation)"))
            #expect(try await call(server, session) == 200)
        }
    }

    // MARK: Okta

    @Test func `Okta: assertions are for the endpoint that they are sent to`() async throws {
        try await run(User(), { $0.oddities.assertionsNameEndpoint = true }) { (server, session) async throws in
            session.register(
                Okta.OpenIDLoginObserver(
                    parameters: Okta.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "keyed", redirectURL: try Self.redirect,
                        clientKey: Self.key.pemRepresentation)))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            try await session.logOut()
            // The code, the refresh token and two revocations.
            #expect(server.statistics.assertions == 4)
            #expect(server.statistics.revocations == 2)
            #expect(server.statistics.refusals.isEmpty)
        }
        try await run(User(), { $0.oddities.assertionsNameEndpoint = true }) { (server, session) async throws in
            session.register(
                Okta.OpenIDServiceObserver(
                    parameters: Okta.OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "keyed", clientKey: Self.key.pemRepresentation)))
            #expect(try await call(server, session) == 200)
        }
    }

    @Test func `Okta: so is that of a service that introspects a token`() async throws {
        try await run(User(), { $0.oddities.assertionsNameEndpoint = true }) { (server, session) async throws in
            let token = server.makeAccessToken(for: "alice", scopes: ["read"])
            let parameters = Okta.TokenIntrospectionParameters(
                issuer: server.baseURL, clientID: "keyed", token: token, clientKey: Self.key.pemRepresentation)
            let found = try await session.introspectToken(parameters: parameters)
            #expect(found.isActive && found.subject == "alice")
            #expect(server.statistics.assertions == 1)
        }
    }

    @Test func `Okta: so are those of devices, and of requests that are pushed`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.assertionsNameEndpoint = true
            options.clients.append(
                MockOAuth2Client(
                    id: "set", grants: [.deviceCode, .refreshToken], key: Self.key.publicKey.pemRepresentation))
        }
        try await runDevice(change) { (server, session) async throws in
            session.register(
                Okta.OpenIDDeviceObserver(
                    parameters: Okta.OpenIDDeviceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "set", clientKey: Self.key.pemRepresentation)))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refusals.isEmpty)
        }
    }

    @Test func `Okta: the user can be sent to another identity provider, also in a pushed request`() async throws {
        try await run(User(), { $0.openID?.announcesPush = true }) { (server, session) async throws in
            var parameters = Okta.OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect)
            let plain = try await query(of: Okta.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(plain["idp"] == nil)
            parameters.identityProvider = "0oa1"
            let sent = try await query(of: Okta.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(sent["idp"] == "0oa1")
            #expect(server.statistics.pushes == 1)
        }
    }

    // MARK: Auth0

    @Test func `Auth0: the user can be sent to a connection`() async throws {
        try await run { (server, session) async throws in
            var parameters = Auth0.OpenIDLoginParameters(
                apis: [server.baseURL], issuer: server.baseURL, clientID: "app", redirectURL: try Self.redirect,
                audience: "https://notes.example/api")
            let plain = try await query(of: Auth0.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(plain["connection"] == nil)
            parameters.connection = "google-oauth2"
            let sent = try await query(of: Auth0.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(sent["connection"] == "google-oauth2" && sent["audience"] == "https://notes.example/api")
        }
    }

    @Test func `Auth0: a renewal for which the user is needed becomes a login`() async throws {
        let user = User()
        try await run(user, { $0.oddities.issuerPath = "/" }) { (server, session) async throws in
            session.register(
                Auth0.OpenIDLoginObserver(
                    parameters: Auth0.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: try #require(URL(string: server.baseURL.absoluteString + "/")),
                        clientID: "app", redirectURL: try Self.redirect, audience: "https://notes.example/api")))
            #expect(try await call(server, session) == 200)
            server.expireAccessTokens()
            server.inject(.error("mfa_required", status: 403), for: .refreshToken)
            #expect(try await call(server, session) == 200)
            #expect(user.count == 2)
        }
    }

    @Test func `Auth0: the issuer ends in a slash, and tokens are for an audience`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.issuerPath = "/"
            options.oddities.authorizationParameters = ["audience": "https://notes.example/api"]
            options.oddities.deviceParameters = ["audience": "https://notes.example/api"]
        }
        try await run(User(), change) { (server, session) async throws in
            session.register(
                Auth0.OpenIDLoginObserver(
                    parameters: Auth0.OpenIDLoginParameters(
                        apis: [server.baseURL], issuer: try #require(URL(string: server.baseURL.absoluteString + "/")),
                        clientID: "app", redirectURL: try Self.redirect, audience: "https://notes.example/api")))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refusedAuthorizationRequests == 0)
        }
        try await runDevice(change) { (server, session) async throws in
            session.register(
                Auth0.OpenIDDeviceObserver(
                    parameters: Auth0.OpenIDDeviceParameters(
                        apis: [server.baseURL], issuer: try #require(URL(string: server.baseURL.absoluteString + "/")),
                        clientID: "television", audience: "https://notes.example/api")))
            #expect(try await call(server, session) == 200)
        }
        try await run(User(), { $0.requiredTokenParameters = ["audience": "https://notes.example/api"] }) {
            (server, session) async throws in
            session.register(
                Auth0.OpenIDServiceObserver(
                    parameters: Auth0.OpenIDServiceParameters(
                        apis: [server.baseURL], issuer: server.baseURL, clientID: "reports", audience: "https://notes.example/api",
                        clientSecret: "s3cret")))
            #expect(try await call(server, session) == 200)
        }
    }

    // MARK: Google

    @Test func `Google: a refresh token is asked for with each consent, and endpoints are elsewhere`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            options.oddities.authorizationParameters = ["access_type": "offline", "prompt": "consent"]
        }
        try await run(User(), change) { (server, session) async throws in
            var parameters = Google.OpenIDLoginParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            #expect(parameters.issuer == URL(string: "https://accounts.google.com"))
            #expect(parameters.endpoints == URL(string: "https://oauth2.googleapis.com"))
            parameters.issuer = server.baseURL
            session.register(Google.OpenIDLoginObserver(parameters: parameters))
            // The mock's endpoints are not those of Google.
            #expect(await code { try await call(server, session) } == .addressRefused)
            #expect(server.statistics.tokenRequests.isEmpty)
        }
        try await run(User(), change) { (server, session) async throws in
            var parameters = Google.OpenIDLoginParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            parameters.issuer = server.baseURL
            parameters.endpoints = server.baseURL
            parameters.keys = server.baseURL
            session.register(Google.OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            // Revoking the refresh token revokes the others, too.
            try await session.logOut()
            #expect(server.statistics.revocations == 1)
        }
    }

    private func googleParameters(_ server: MockAuthorizationServer) throws -> Google.OpenIDLoginParameters {
        var parameters = Google.OpenIDLoginParameters(
            apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
        parameters.issuer = server.baseURL
        parameters.endpoints = server.baseURL
        parameters.keys = server.baseURL
        return parameters
    }

    @Test func `Google: a prompt of the application's own replaces the consent`() async throws {
        try await run { (server, session) async throws in
            var parameters = try googleParameters(server)
            let first = try await query(of: Google.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(first["prompt"] == "consent" && first["access_type"] == "offline")
            #expect(first["hd"] == nil)
            parameters.prompt = .selectAccount
            let sent = try await query(of: Google.OpenIDLoginObserver(parameters: parameters), server, session)
            #expect(sent["prompt"] == "select_account" && sent["access_type"] == "offline")
        }
    }

    @Test func `Google: the accounts of a domain are offered, and no other is accepted`() async throws {
        try await run { (server, session) async throws in
            var parameters = try googleParameters(server)
            parameters.hostedDomain = "example.com"
            session.register(Google.OpenIDLoginObserver(parameters: parameters))
            for claim in [nil, #""evil.example""#] {
                server.inject(MockIDTokenFault.claims(["hd": claim]))
                #expect(await code { try await call(server, session) } == .untrustedToken)
            }
            server.inject(MockIDTokenFault.claims(["hd": #""example.com""#]))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.authorizationParameters.allSatisfy { $0["hd"] == "example.com" })
        }
    }

    @Test func `Google: the page for the code of a device has an older name, and is on a third server`() async throws {
        try await runDevice({ $0.oddities.devicePageMember = "verification_url" }) { (server, session) async throws in
            var parameters = Google.OpenIDDeviceParameters(apis: [server.baseURL], clientID: "screen", clientSecret: "s3cret")
            parameters.issuer = server.baseURL
            parameters.endpoints = server.baseURL
            parameters.keys = server.baseURL
            #expect(parameters.pages == URL(string: "https://www.google.com"))
            parameters.pages = server.baseURL
            session.register(Google.OpenIDDeviceObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
        }
    }

    // MARK: GitLab and GitHub

    /// Configures a server whose challenge does not describe how to obtain a token.
    private static func silent(_ options: inout MockOAuth2Options) {
        options.challenge = .response(ServerRules.Challenge(status: 401, fields: [:]))
    }

    @Test func `GitLab: requests have the token from the first on, and a refusal says nothing`() async throws {
        let user = User()
        try await run(user, Self.silent) { (server, session) async throws in
            var parameters = GitLab.OpenIDLoginParameters(
                apis: [server.baseURL], clientID: "app", redirectURL: try Self.redirect)
            #expect(parameters.issuer == URL(string: "https://gitlab.com"))
            parameters.issuer = server.baseURL
            session.register(GitLab.OpenIDLoginObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.challenges == 0)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 1)
        }
    }

    @Test func `GitLab: devices find the endpoint for codes, which the metadata do not name`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.silent(&options)
            options.paths.device = "/oauth/authorize_device"
        }
        try await runDevice(change) { (server, session) async throws in
            server.inject(.metadata(["device_authorization_endpoint": nil]), times: .max)
            var parameters = GitLab.OpenIDDeviceParameters(apis: [server.baseURL], clientID: MockOAuth2Client.device.id)
            parameters.issuer = server.baseURL
            session.register(GitLab.OpenIDDeviceObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.deviceAuthorizations == 1)
        }
    }

    @Test func `GitHub: the next process renews a stored token that has expired, without the user`() async throws {
        let user = User()
        let store = MemoryCredentialStore()
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.silent(&options)
            options.openID = nil
            options.oddities.answersInForms = true
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = GitHub.AuthorizationCodeParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            parameters.authorizationURL = server.authorizationEndpoint
            parameters.tokenURL = server.tokenEndpoint
            let first = GitHub.AuthorizationCodeObserver(parameters: parameters)
            session.register(first)
            #expect(try await call(server, session) == 200)
            let tokens = try #require(try await first.credential(in: session))
            await withSession { (second) async throws in
                let observer = GitHub.AuthorizationCodeObserver(parameters: parameters, store: store)
                second.register(observer)
                try await observer.adopt(
                    accessToken: tokens.accessToken, refreshToken: tokens.refreshToken, lifetime: .zero, in: second)
            }
            await withSession(presenter: user) { (third) async throws in
                third.register(GitHub.AuthorizationCodeObserver(parameters: parameters, store: store))
                #expect(try await call(server, third) == 200)
            }
            #expect(user.count == 1)
            #expect(server.statistics.refreshes == 1)
        }
    }

    @Test func `GitHub: an account is suggested by its own parameter`() async throws {
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.silent(&options)
            options.openID = nil
            options.oddities.answersInForms = true
        }
        try await run(User(), change) { (server, session) async throws in
            var parameters = GitHub.AuthorizationCodeParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            parameters.authorizationURL = server.authorizationEndpoint
            parameters.tokenURL = server.tokenEndpoint
            let plain = try await query(of: GitHub.AuthorizationCodeObserver(parameters: parameters), server, session)
            #expect(plain["login"] == nil && plain["prompt"] == nil)
            parameters.loginHint = "octocat"
            parameters.prompt = .selectAccount
            let sent = try await query(of: GitHub.AuthorizationCodeObserver(parameters: parameters), server, session)
            #expect(sent["login"] == "octocat" && sent["prompt"] == "select_account")
        }
    }

    @Test func `GitHub: refusals have status 200, and answers are forms`() async throws {
        let user = User()
        let change: (inout MockOAuth2Options) -> Void = { options in
            Self.silent(&options)
            options.openID = nil
            options.oddities.refusesWithStatus200 = true
            options.oddities.answersInForms = true
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = GitHub.AuthorizationCodeParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            #expect(parameters.authorizationURL == URL(string: "https://github.com/login/oauth/authorize"))
            parameters.authorizationURL = server.authorizationEndpoint
            #expect(parameters.tokenURL == URL(string: "https://github.com/login/oauth/access_token"))
            parameters.tokenURL = server.tokenEndpoint
            session.register(GitHub.AuthorizationCodeObserver(parameters: parameters))
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.challenges == 0)
            server.expireAccessTokens()
            #expect(try await call(server, session) == 200)
            #expect(server.statistics.refreshes == 1)
            #expect(user.count == 1)
        }
        try await run(
            user,
            {
                change(&$0); $0.oddities.refreshRefusal = "bad_refresh_token"
            }
        ) { (server, session) async throws in
            var parameters = GitHub.AuthorizationCodeParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "s3cret")
            parameters.authorizationURL = server.authorizationEndpoint
            parameters.tokenURL = server.tokenEndpoint
            session.register(GitHub.AuthorizationCodeObserver(parameters: parameters))
            let before = user.count
            #expect(try await call(server, session) == 200)
            // An expired refresh token leads to another login.
            server.endAllSessions()
            #expect(try await call(server, session) == 200)
            #expect(user.count == before + 2)
        }
        try await run(user, change) { (server, session) async throws in
            var parameters = GitHub.AuthorizationCodeParameters(
                apis: [server.baseURL], clientID: "posting", redirectURL: try Self.redirect, clientSecret: "wrong")
            parameters.authorizationURL = server.authorizationEndpoint
            parameters.tokenURL = server.tokenEndpoint
            session.register(GitHub.AuthorizationCodeObserver(parameters: parameters))
            let error = await #expect(throws: CountersignError.self) { try await call(server, session) }
            #expect(error?.code == .refusedByServer)
            #expect(error?.detail.contains("invalid_client") == true)
        }
    }
}

/// Replaces each successful response by one that demands claims.
private final class ClaimsDemand: SessionObserver {
    let name = "ClaimsDemand"
    let isMade = Atomic(false)
    private let text: String

    init(_ text: String) { self.text = text }

    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        guard isMade.load(ordering: .relaxed), response.status == .ok else { return .pass }
        var response = response
        response.status = .unauthorized
        response.headerFields[.wwwAuthenticate] = "Bearer error=\"insufficient_claims\", claims=\"\(text)\""
        return .replace(response)
    }
}
