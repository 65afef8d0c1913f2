internal import Countersign
public import CountersignFoundation
public import Foundation
internal import Synchronization

/// Detects that a different user has logged in, and rejects that user unless a delegate accepts.
///
/// Set it as the `authenticationHandler` of a session's observers. After each login it requests the user from the role service, and
/// compares with the previous user, whose identifier is in a store:
///
/// - The first user, or the same one: the delegates may reject the login; otherwise the requests resume.
/// - A different user: the delegates are notified, and asked whether to accept the user. If none does, all pending requests fail
///   with ``SAPcpmsAuthenticationManagerError/userSwitch(from:to:)``, and the credential is discarded. The next request logs in
///   again.
/// - An unknown user, because the role service fails: the login is rejected with the error.
///
/// The renewal of a token is not a login, since its user is the same.
///
/// ```swift
/// let manager = SAPcpmsAuthenticationManager(roleServiceURL: url, store: store, delegate: self)
/// observer.authenticationHandler = manager
/// ```
public final class SAPcpmsAuthenticationManager: AuthenticationHandling {
    /// The URL of the role service.
    public let roleServiceURL: URL
    /// The store of the current user's identifier.
    public let store: any CodableStoring
    /// The key of the identifier in the store, different for each role service.
    public let currentUserIDKey: String

    private struct Delegates {
        weak var delegate: (any AuthenticationDelegate)?
        weak var internalDelegate: (any AuthenticationDelegate)?
    }
    private let delegates: Mutex<Delegates>
    /// Held while the current user is compared with the stored one and replaces it.
    private let keeping = Mutex(())

    /// Creates a manager.
    ///
    /// - Parameters:
    ///   - roleServiceURL: The URL of the role service: `…/roleservice/application/ID/v2/Me`.
    ///   - store: The store of the current user's identifier.
    ///   - delegate: The delegate that is notified of logins. It is not retained.
    ///   - internalAuthenticationDelegate: A delegate that is notified and asked before it. It is not retained.
    public init(
        roleServiceURL: URL, store: any CodableStoring, delegate: (any AuthenticationDelegate)?,
        internalAuthenticationDelegate: (any AuthenticationDelegate)? = nil
    ) {
        self.roleServiceURL = roleServiceURL
        self.store = store
        currentUserIDKey = "com.sap.foundation.authentication.user.\(roleServiceURL.absoluteString)"
        delegates = Mutex(Delegates(delegate: delegate, internalDelegate: internalAuthenticationDelegate))
    }

    /// The delegate that is notified of logins. It is not retained.
    public weak var delegate: (any AuthenticationDelegate)? {
        get { delegates.withLock { $0.delegate } }
        set { delegates.withLock { $0.delegate = newValue } }
    }

    /// The delegates, in the order in which they are notified and asked.
    private var all: [any AuthenticationDelegate] {
        delegates.withLock { [$0.internalDelegate, $0.delegate].compactMap(\.self) }
    }
}

// MARK: - Logins

extension SAPcpmsAuthenticationManager {
    public func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didAuthenticate session: SAPURLSession, requestBypassIdentifier: UUID,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let roles = SAPcpmsUserRoles(
            sapURLSession: session, roleServiceUrl: roleServiceURL, requestBypassIdentifier: requestBypassIdentifier)
        Task {
            do {
                try await review(try await roles.load())
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    public func authenticationObserver(
        _ observer: any SAPURLSessionObserving, didFailToAuthenticate session: SAPURLSession, error: any Error
    ) {
        let user = (try? store.get(String.self, for: currentUserIDKey)) ?? nil
        for delegate in all { delegate.authenticationHandler(self, user: user, didFailToAuthenticate: error) }
    }

    private func review(_ userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo) async throws {
        let delegates = all
        var isConfirmed = false
        while true {
            let known = try store.get(String.self, for: currentUserIDKey)
            if let known, !Self.isSame(known, userInfo.id) {
                for delegate in delegates { delegate.authenticationHandler(self, user: known, didChange: userInfo.id) }
                try await requireAcceptance(of: userInfo, insteadOf: known, by: delegates)
            }
            if !isConfirmed { try await requireConfirmation(of: userInfo, by: delegates) }
            isConfirmed = true
            // Another login may have ended meanwhile and stored its user, with whom this user is then compared.
            if try keep(userInfo.id, insteadOf: known) { return }
        }
    }

    /// Stores the user.
    ///
    /// - Returns: `false` if the stored user is no longer `known`.
    private func keep(_ user: String, insteadOf known: String?) throws -> Bool {
        try keeping.withLock { _ in
            guard Self.isSame(try store.get(String.self, for: currentUserIDKey), known) else { return false }
            if !Self.isSame(known, user) { try store.put(user, for: currentUserIDKey) }
            return true
        }
    }

    /// Compares identifiers by bytes, since Swift strings are equal if they are canonically equivalent, such as `K` and the Kelvin
    /// sign.
    private static func isSame(_ user: String?, _ other: String?) -> Bool {
        user.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }

    /// Throws unless every delegate accepts the login.
    private func requireConfirmation(
        of userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo, by delegates: [any AuthenticationDelegate]
    ) async throws {
        for delegate in delegates {
            let error: (any Error)? = await withCheckedContinuation { continuation in
                let silence = CountersignError(
                    .refusedByObserver, detail: "the authentication delegate did not call its completion handler")
                let once = FirstAnswer<(any Error)?>(continuation, otherwise: silence)
                delegate.authenticationHandler(self, didAuthenticate: userInfo) { once.give($0) }
            }
            if let error { throw error }
        }
    }

    /// Throws unless a delegate accepts another user.
    private func requireAcceptance(
        of userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo, insteadOf user: String, by delegates: [any AuthenticationDelegate]
    ) async throws {
        for delegate in delegates {
            let accepts: Bool = await withCheckedContinuation { continuation in
                let once = FirstAnswer(continuation, otherwise: false)
                delegate.authenticationHandler(self, shouldAccept: userInfo, insteadOf: user) { once.give($0) }
            }
            if accepts { return }
        }
        throw SAPcpmsAuthenticationManagerError.userSwitch(from: user, to: userInfo.id)
    }
}

/// The first response of a delegate. If the delegate releases the completion handler without calling it, a default is used.
private final class FirstAnswer<Answer: Sendable>: Sendable {
    private let waiting: Mutex<CheckedContinuation<Answer, Never>?>

    private let silence: Answer

    init(_ continuation: CheckedContinuation<Answer, Never>, otherwise silence: Answer) {
        waiting = Mutex(continuation)
        self.silence = silence
    }

    deinit { give(silence) }

    func give(_ answer: Answer) {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }?.resume(returning: answer)
    }
}
