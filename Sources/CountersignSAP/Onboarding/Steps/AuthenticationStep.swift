internal import Countersign
internal import Synchronization

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Authenticates: registers an observer on the context's session, and sends a request that the server challenges.
///
/// Landscape modules have steps for their methods, which use this one:
///
/// ```swift
/// let step = AuthenticationStep(name: "SAML") { context in
///     SAMLObserver(authenticationParameters: try SAMLAuthenticationParameters(configuration: context.configuration().values()))
/// }
/// ```
public final class AuthenticationStep: OnboardingStep {
    /// Returns the observer for a context.
    public typealias ObserverFactory = @Sendable (OnboardingContext) throws -> any SAPURLSessionObserving
    /// Returns the observer that exchanges a passcode for tokens.
    public typealias PasscodeObserverFactory =
        @Sendable (OnboardingContext, _ passcode: String) throws -> any SAPURLSessionObserving
    /// Returns the request that validates the authentication.
    public typealias RequestFactory = @Sendable (OnboardingContext) throws -> URLRequest

    public let stepName: String
    /// Whether the flow can be restored while the server is unreachable, or the token endpoint of a renewal.
    public let isAllowingOfflineRestore: Bool
    /// The maximum number of bytes that are read of the response to the validation request.
    private static let maximumValidationBytes = 1 << 20

    private let validationRequest: RequestFactory
    private let passcodeObserver: PasscodeObserverFactory?
    private let observer: ObserverFactory
    private let registered = Mutex<(any SAPURLSessionObserving)?>(nil)

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: The name of the step in progress reports and errors.
    ///   - isAllowingOfflineRestore: Whether the flow can be restored while the server is unreachable. A server that accepts connections
    ///     and does not answer is unreachable after the time limit of a request. A token request of a user's token is sent twice, so
    ///     that this takes two minutes by default; that of a client ends with `flightTimeout`, after one.
    ///   - validationRequest: Returns the request that validates the authentication; `nil` requests the server's URL.
    ///   - passcodeObserver: Returns the observer that exchanges a passcode for tokens. It is registered only for the validation
    ///     request of an onboarding with a passcode, and sends the passcode only within its lifetime. Later logins and renewals use
    ///     the other observer, which must have the same token store. Without it, a passcode is ignored, and the user logs in.
    ///   - observer: Returns the observer.
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

    /// - Throws: ``OnboardingStepError/validationRefused(status:origin:)`` if the server does not accept the request;
    ///   ``OnboardingPasscodeError``; the errors of the observer's factory and of the session.
    public func onboard(context: OnboardingContext) async throws -> OnboardingContext {
        var context = context
        let passcode = context.passcode
        context.passcode = nil
        if let passcode, let passcodeObserver {
            // The passcode is short-lived, so it is redeemed immediately. If the exchange fails, no login is started.
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
        // The passcode arrived after the onboarding, and may belong to another user.
        if context.passcode != nil { return try await onboard(context: context) }
        try register(context)
        do {
            try await validate(context)
        } catch let error where isAllowingOfflineRestore && error.isOffline {
            // The credential is validated when the server is reachable again.
        }
        return context
    }

    /// Ends the user's session: deletes the cookies, and the credentials that the observer has stored for the server at any time.
    ///
    /// - Parameter context: The context, with the server's URL or with an observer of this step on its session; otherwise there is
    ///   nothing to reset.
    public func reset(context: OnboardingContext) async {
        if registered.withLock({ $0 == nil }) { try? register(context) }
        try? await context.sapURLSession.session.endSession(forgettingAt: (try? context.backendURL()).flatMap { Origin($0) })
        unregister(context)
    }

    /// Replaces the client of the passcode by one of the authorization code grant, in the context and in the store.
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
            // Only the status matters, but a small body is read so that the connection can be reused.
            let (_, response) = try await context.sapURLSession.data(for: request, upTo: Self.maximumValidationBytes)
            guard let status = (response as? HTTPURLResponse)?.statusCode else { return }
            // Other error statuses concern the URL and not the user.
            if status == 401 || status == 403 || status >= 500 {
                throw OnboardingStepError.validationRefused(status: status, origin: request.url.flatMap { Origin($0) })
            }
        } catch let error where error.isOffline {
            throw error
        } catch {
            unregister(context)
            throw error
        }
    }
}
