// The code of the guide "Coming from the SAP SDK", and its test.

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: after
import CountersignFileStore
import Foundation
import SAPMobileServices

final class Orders: Sendable {
    private let settings: SAPcpmsSettingsParameters
    private let session: SAPURLSession

    init(
        backend: URL, redirectURL: URL, presenter: any WebPresenter,
        keptIn folder: URL, key: any StoreKeySource,
        clientID: String = "orders"
    ) {
        settings = SAPcpmsSettingsParameters(
            backendURL: backend, applicationID: "com.example.orders")
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = presenter
        session = SAPURLSession(configuration: configuration)

        let parameters = OAuth2AuthenticationParameters(
            settingsParameters: settings, clientID: clientID,
            redirectURL: redirectURL)
        let tokens = CredentialTokenStore(
            EncryptedFileStore(folder: folder, key: key))
        session.register(
            OAuth2Observer(
                authenticationParameters: parameters, tokenStore: tokens))
        session.register(OTPObserver(settingsParameters: settings))
    }

    func orders() async throws -> Data {
        try await session.data(
            from: settings.backendURL.appending(path: "orders")
        ).0
    }

    func logOut() async throws {
        try await session.logout(settingsParameters: settings, version: .v2)
    }
}
// end

// snippet: errors
func ordersOrNothing(_ orders: Orders) async throws -> Data? {
    do {
        return try await orders.orders()
    } catch OAuth2Error.cancelled, OTPError.cancelled {
        return nil  // the user closed a page
    } catch let error as OAuth2Error {
        print(error.localizedDescription, error.recoverySuggestion ?? "")
        throw error
    }
}
// end

// snippet: tokens
/// Takes over the token that the application has from before.
func takeOver(
    accessToken: String, refreshToken: String?, of backend: URL,
    into tokens: CredentialTokenStore
) throws {
    let token = OAuth2Token(
        accessToken: accessToken, tokenType: "Bearer",
        expiryDate: .distantPast, refreshToken: refreshToken)
    try tokens.store(token: token, for: backend)
}
// end

// snippet: users
/// Fails the requests that wait for a login in which another user than the
/// one before has logged in, unless the delegate accepts that user.
func rejectOtherUsers(
    of observer: OAuth2Observer, settings: SAPcpmsSettingsParameters,
    keptIn store: any CodableStoring, delegate: any AuthenticationDelegate
) {
    observer.authenticationHandler = SAPcpmsAuthenticationManager(
        roleServiceURL: settings.roleServiceURL, store: store,
        delegate: delegate)
}
// end

// snippet: onboarding
/// Onboards at the first start. Later ones restore, and ask nothing.
func onboardedSession(
    presenter: any WebPresenter, screens: any OnboardingScreens,
    keptIn credentials: any CredentialStore
) async throws -> SAPURLSession {
    var configuration = SAPURLSession.Configuration()
    configuration.presenter = presenter
    let context = OnboardingContext(
        sapURLSession: SAPURLSession(configuration: configuration),
        credentialStore: CredentialCodableStore(credentials),
        screens: screens)
    let steps: [any OnboardingStep] = [
        WelcomeScreenStep(
            transformer: DiscoveryServiceConfigurationTransformer(
                applicationID: "com.example.orders"),
            providers: [JSONConfigurationProvider()]),
        CompositeStep(steps: SAPcpmsDefaultSteps.configuration),
        OAuth2AuthenticationStep(),
        CompositeStep(steps: SAPcpmsDefaultSteps.settingsDownload),
        CompositeStep(steps: SAPcpmsDefaultSteps.applyDuringOnboard),
    ]
    return try await OnboardingFlow(steps: steps, context: context).run()
        .sapURLSession
}
// end

import CountersignTesting
import SAPMobileServicesTesting
import TestTurns
import Testing

/// Runs a test with the mock, whose resources require a token, and a folder for a store.
private func withMock(_ test: (MockLandscape, URL, URL) async throws -> Void) async throws {
    var options = MockOptions()
    options.protection = "OAuth2"
    let folder = FileManager.default.temporaryDirectory.appending(path: "orders-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let redirectURL = try #require(URL(string: "com.example.countersign://oauth2/callback"))
    try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices, options: options) { mock in
        try await test(mock, folder, redirectURL)
    }
}

@Test(.takesTurns) func `the code that comes after the SDK's gets orders, and logs out`() async throws {
    try await withMock { mock, folder, redirectURL in
        let orders = Orders(
            backend: mock.baseURL, redirectURL: redirectURL, presenter: FormFillingPresenter(user: "alice", password: "wonderland"),
            keptIn: folder, key: StoreKey.random(), clientID: "countersign")
        #expect(try await ordersOrNothing(orders)?.isEmpty == false)
        #expect(try await ordersOrNothing(orders)?.isEmpty == false)
        #expect(mock.statistics.oauth2.loginForms == 1)
        try await orders.logOut()
        #expect(mock.statistics.logouts == 1)
    }
}

@Test(.takesTurns) func `a token from before is renewed, and no page is shown`() async throws {
    try await withMock { mock, folder, redirectURL in
        let memory = CredentialTokenStore(MemoryCredentialStore())
        var configuration = SAPURLSession.Configuration()
        configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
        let before = SAPURLSession(configuration: configuration)
        let settings = SAPcpmsSettingsParameters(backendURL: mock.baseURL, applicationID: "com.example.orders")
        before.register(
            OAuth2Observer(
                authenticationParameters: OAuth2AuthenticationParameters(
                    settingsParameters: settings, clientID: "countersign", redirectURL: redirectURL), tokenStore: memory))
        _ = try await before.data(from: mock.baseURL.appending(path: "orders"))
        before.invalidateAndCancel()
        let token = try #require(try memory.token(for: mock.baseURL))

        let key = StoreKey.random()
        try takeOver(
            accessToken: token.accessToken, refreshToken: token.refreshToken, of: mock.baseURL,
            into: CredentialTokenStore(EncryptedFileStore(folder: folder, key: key)))
        let orders = Orders(
            backend: mock.baseURL, redirectURL: redirectURL, presenter: FormFillingPresenter(user: "nobody", password: "none"),
            keptIn: folder, key: key, clientID: "countersign")
        #expect(try await ordersOrNothing(orders)?.isEmpty == false)
        #expect(mock.statistics.oauth2.loginForms == 1)
        #expect(mock.statistics.oauth2.refreshes == 1)
    }
}
