import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import OAuth

extension ServerShow {
    /// An authorization server of OAuth 2.0, with a page on which a user logs in.
    static let oauthUser = oauth("OAuth, user") {
        $0.endAllSessions()
    } observer: {
        AuthorizationCodeObserver(parameters: try user($0))
    }

    /// The same, with access tokens that have expired.
    static let oauthRefresh = oauth("OAuth, refresh") {
        $0.expireAccessTokens()
    } observer: {
        AuthorizationCodeObserver(parameters: try user($0))
    }

    /// The same for a device, whose code the user types on another one.
    static let oauthDevice = oauth("OAuth, device") {
        $0.endAllSessions()
    } observer: {
        DeviceCodeObserver(
            parameters: DeviceCodeParameters(
                apis: [$0.baseURL], deviceURL: $0.deviceEndpoint, tokenURL: $0.tokenEndpoint, pages: [$0.baseURL],
                clientID: MockOAuth2Client.device.id))
    }

    /// The same for a service, without a user.
    static let oauthService = oauth("OAuth, service") {
        $0.endAllSessions()
    } observer: {
        let client = MockOAuth2Client.service
        return ClientCredentialsObserver(
            parameters: ClientCredentialsParameters(
                apis: [$0.baseURL], tokenURL: $0.tokenEndpoint, clientID: client.id, clientSecret: client.secret ?? ""))
    }

    /// - Parameters:
    ///   - options: The options of the server.
    ///   - path: The path of the resource.
    ///   - isSilent: Whether the server does not announce how to get a token, so that even the first request carries one.
    static func oauth(
        _ row: String, _ options: MockOAuth2Options = MockOAuth2Options(), path: String = "notes", isSilent: Bool = false,
        spoil: @escaping @Sendable (MockAuthorizationServer) -> Void,
        observer: @escaping @Sendable (MockAuthorizationServer) throws -> any SessionObserver
    ) -> ServerShow {
        ServerShow(row: row) { body in
            try await MockAuthorizationServer.run(options: options) { server in
                try await body(
                    DemoServer(
                        url: server.baseURL.appending(path: path), observer: try observer(server),
                        presenter: FormFillingPresenter(user: "alice", password: "wonderland"),
                        userCodePresenter: MockDeviceUser("alice", at: server),
                        challengeField: isSilent ? nil : .wwwAuthenticate, isEager: isSilent,
                        counts: { (server.statistics.challenges, server.statistics.challenges + server.statistics.resources) },
                        spoil: {
                            spoil(server)
                            server.resetStatistics()
                        },
                        hold: { server.hold(.path("/" + path), until: $0) }))
            }
        }
    }

    private static func user(_ server: MockAuthorizationServer) throws -> AuthorizationCodeParameters {
        guard let redirect = URL(string: "http://127.0.0.1/callback") else { throw DemoError("the redirect URL is invalid") }
        return AuthorizationCodeParameters(
            apis: [server.baseURL], authorizationURL: server.authorizationEndpoint, tokenURL: server.tokenEndpoint,
            clientID: MockOAuth2Client.app.id, redirectURL: redirect, issuer: server.baseURL.absoluteString)
    }
}
