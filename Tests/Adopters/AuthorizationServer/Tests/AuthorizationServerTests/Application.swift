import Canaille
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An application with the generated observer, in which a user logs in.
struct Application {
    /// The registration of the application at the server.
    enum Client {
        /// A client without a secret.
        case `public`
        case confidential
    }

    let lab: Lab
    let store = MemoryTokenStore()
    let presenter: SecondFactorPresenter
    let events = RecordedEvents()
    private let session: SAPURLSession

    init(
        _ client: Client = .public, of person: Person = .alice, in lab: Lab, expecting issuer: String? = Lab.issuer
    ) {
        self.lab = lab
        presenter = SecondFactorPresenter(person)
        session = lab.session(events: [events])
        var parameters = OAuth2AuthenticationParameters(
            settingsParameters: lab.settings, clientID: client == .public ? "public" : "svc", redirectURL: lab.redirect)
        parameters.requestingScopes = ["openid", "profile", "email"]
        parameters.clientSecret = client == .public ? nil : Lab.clientSecret
        parameters.issuer = issuer
        let authenticator = OAuth2Authenticator(
            authenticationParameters: parameters, sapURLSession: lab.session(), webViewPresenter: presenter)
        session.register(OAuth2Observer(authenticator: authenticator, tokenStore: store))
    }

    /// Stores a token from an earlier run.
    func having(_ token: OAuth2Token?) throws -> Application {
        try store.store(token: #require(token), for: lab.server)
        return self
    }

    var token: OAuth2Token? { store.token(for: lab.server) }

    /// Logs the user out.
    func logOut() async throws { try await session.logOut() }

    /// Returns the name of the user, which requires a token. Waits for the next second, so that the server can issue a new one.
    func userinfo() async throws -> String? {
        try await lab.nextToken()
        return try await userinfoNow()
    }

    /// Returns the name of the user without waiting, for concurrent requests.
    func userinfoNow() async throws -> String? {
        struct Answer: Decodable { let sub: String }
        let (data, response) = try await session.data(for: URLRequest(url: lab.userinfo))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { return nil }
        return try JSONDecoder().decode(Answer.self, from: data).sub
    }
}

extension OAuth2Token {
    /// The token with an expiry date in the past.
    var expired: OAuth2Token {
        OAuth2Token(
            accessToken: accessToken, tokenType: tokenType, expiryDate: Date(timeIntervalSince1970: 0), scopes: scopes,
            refreshToken: refreshToken)
    }
}
