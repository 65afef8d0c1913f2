internal import Countersign
internal import Synchronization

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authenticates: registers an observer on the context's session, then sends a request that is challenged, so that the observer has to
/// answer (research 2.11).
///
/// The modules of landscapes have steps of their own for their methods, made of this one:
///
/// ```swift
/// let step = AuthenticationStep(name: "SAML") { context in
///     SAMLObserver(authenticationParameters: try SAMLAuthenticationParameters(configuration: context.configuration().values()))
/// }
/// ```
public final class AuthenticationStep: OnboardingStep {
    /// Makes the observer of a context.
    public typealias ObserverFactory = @Sendable (OnboardingContext) throws -> any SAPURLSessionObserving
    /// Makes the observer that exchanges a passcode for tokens.
    public typealias PasscodeObserverFactory =
        @Sendable (OnboardingContext, _ passcode: String) throws -> any SAPURLSessionObserving
    /// Makes the request that proves the authentication.
    public typealias RequestFactory = @Sendable (OnboardingContext) throws -> URLRequest

    public let stepName: String
    /// Whether the flow is restored although the server cannot be reached.
    public let isAllowingOfflineRestore: Bool
    /// The most bytes that are read of the answer to the validation request.
    private static let maximumValidationBytes = 1 << 20

    private let validationRequest: RequestFactory
    private let passcodeObserver: PasscodeObserverFactory?
    private let observer: ObserverFactory
    private let registered = Mutex<(any SAPURLSessionObserving)?>(nil)

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - name: Names the step in progress and errors.
    ///   - isAllowingOfflineRestore: Whether the flow is restored although the server cannot be reached.
    ///   - validationRequest: Makes the request that proves the authentication; `nil` gets the server's address itself.
    ///   - passcodeObserver: Makes the observer that exchanges a passcode for tokens. It is registered for the validation request of an
    ///     onboarding with a passcode alone, and sends the passcode only for so long as it lives; later logins and renewals are the other
    ///     observer's, which has to use the same token store.
    ///     Without it a passcode is given up, and the user logs in.
    ///   - observer: Makes the observer.
    @preconcurrency public init(
        name: String, isAllowingOfflineRestore: Bool = false, validationRequest: RequestFactory? = nil,
        passcodeObserver: PasscodeObserverFactory? = nil, observer: @escaping ObserverFactory
    ) {
        stepName = name
        self.isAllowingOfflineRestore = isAllowingOfflineRestore
        self.validationRequest = validationRequest ?? { URLRequest(url: try $0.backendURL()) }
        self.passcodeObserver = passcodeObserver
        self.observer = observer
    }

    /// - Throws: ``OnboardingStepError/validationRefused(status:origin:)`` if the server does not accept the request in the end;
    ///   ``OnboardingPasscodeError``; what the observer's factory and the session throw.
    public func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        let passcode = context.passcode
        context.passcode = nil
        if let passcode, let passcodeObserver {
            // Its time runs: the passcode is taken out for the exchange, and a failed exchange does not become a login unasked.
            let exchanging = try passcode.redeem { try passcodeObserver(context, $0) }
            context.sapURLSession.register(exchanging)
            defer { context.sapURLSession.unregister(exchanging) }
            try await validate(context)
            try keepExchanged(&context)
            try register(context)
            return context
        }
        if passcode != nil { try keepExchanged(&context) }
        try register(context)
        try await validate(context)
        return context
    }

    public func restore(context: OnboardingContext) async throws -> OnboardingContext {
        // It has come in since, and may be another user's.
        if context.passcode != nil { return try await onboard(context: context) }
        try register(context)
        do {
            try await validate(context)
        } catch let error as URLError where isAllowingOfflineRestore && error.isOffline {
            // The credential is checked when the server is there again.
        }
        return context
    }

    /// Ends the user's session: cookies go, and what the observer has stored for the server, in this process or before.
    ///
    /// - Parameter context: Knows the server, or has an observer of this step on its session; otherwise there is nothing to take back.
    public func reset(context: OnboardingContext) async {
        if registered.withLock({ $0 == nil }) { try? register(context) }
        try? await context.sapURLSession.session.endSession(forgettingAt: (try? context.backendURL()).flatMap { Origin($0) })
        unregister(context)
    }

    /// The client of the passcode is one of the authorization code grant from here on, in memory as in the store.
    private func keepExchanged(_ context: inout OnboardingContext) throws {
        let configuration = try context.configuration().afterPasscodeExchange()
        context.info[.configuration] = configuration
        try context.credentialStore.put(configuration, for: OnboardingKey.configuration)
    }

    private func register(_ context: OnboardingContext) throws {
        let observer = try observer(context)
        unregister(context)
        context.sapURLSession.register(observer)
        registered.withLock { $0 = observer }
    }

    private func unregister(_ context: OnboardingContext) {
        let observer = registered.withLock { observer in
            defer { observer = nil }
            return observer
        }
        if let observer { context.sapURLSession.unregister(observer) }
    }

    private func validate(_ context: OnboardingContext) async throws {
        do {
            let request = try validationRequest(context)
            // The status is what counts; a small body is read all the same, so that the connection can be used again.
            let (_, response) = try await context.sapURLSession.data(for: request, upTo: Self.maximumValidationBytes)
            guard let status = (response as? HTTPURLResponse)?.statusCode else { return }
            // Other refusals are about the address, not about the user.
            if status == 401 || status == 403 || status >= 500 {
                throw OnboardingStepError.validationRefused(status: status, origin: request.url.flatMap { Origin($0) })
            }
        } catch let error as URLError where error.isOffline {
            throw error
        } catch {
            unregister(context)
            throw error
        }
    }
}

extension URLError {
    /// Whether the server was not reached at all.
    fileprivate var isOffline: Bool {
        switch code {
        case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .networkConnectionLost, .timedOut:
            true
        default: false
        }
    }
}
