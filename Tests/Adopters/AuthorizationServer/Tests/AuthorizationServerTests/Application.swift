import Canaille
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An application with the generated observer, in which a person logs in.
struct Application {
    /// How it is known to the server.
    enum Client {
        /// Has no secret.
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

    /// An application that has a token from before.
    func having(_ token: OAuth2Token?) throws -> Application {
        try store.store(token: #require(token), for: lab.server)
        return self
    }

    var token: OAuth2Token? { store.token(for: lab.server) }

    /// Reads who one is, which needs a token; a second passes before, so that a new one can be got.
    func userinfo() async throws -> String? {
        try await lab.nextToken()
        return try await userinfoNow()
    }

    /// The same without waiting, for requests at the same time.
    func userinfoNow() async throws -> String? {
        struct Answer: Decodable { let sub: String }
        let (data, response) = try await session.data(for: URLRequest(url: lab.userinfo))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { return nil }
        return try JSONDecoder().decode(Answer.self, from: data).sub
    }
}

extension OAuth2Token {
    /// The same token, ended by the clock of this machine.
    var expired: OAuth2Token {
        OAuth2Token(
            accessToken: accessToken, tokenType: tokenType, expiryDate: Date(timeIntervalSince1970: 0), scopes: scopes,
            refreshToken: refreshToken)
    }
}
