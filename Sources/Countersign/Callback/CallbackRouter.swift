#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// Delivers the URLs that the system opens this application with to the logins that wait for them.
///
/// The application passes on each URL that the system opens it with:
///
/// ```swift
/// func opened(with url: URL) {
///     do {
///         try CallbackRouter.shared.open(url, options: OpenURLOptions(sourceApplication: "com.example.authenticator"))
///     } catch {
///         // `error` is the reason why no login continued: none is waiting, or the URL does not match.
///     }
/// }
/// ```
///
/// A URL is delivered to the one login that waits for it. A login with a complete scheme takes precedence over logins that accept
/// any scheme with the spec's ending. If several logins still match, none receives the URL, since the target is ambiguous and a
/// passcode can be used only once.
public final class CallbackRouter: Sendable {
    /// The router of the process.
    public static let shared = CallbackRouter()

    /// A login that waits for a URL.
    package struct Waiting: Sendable {
        /// Returns whether the URL's scheme, host and path match.
        package let accepts: @Sendable (URL) -> Bool
        /// Returns whether the complete scheme of its URLs is set.
        package let isExact: @Sendable () -> Bool
        /// Takes the URL, or throws the reason for refusing it.
        package let take: @Sendable (URL, OpenURLOptions) throws(CallbackRefusal) -> Void
        /// Called when a matching URL was refused.
        package let noteRefusal: @Sendable (CallbackRefusal) -> Void

        package init(
            accepts: @escaping @Sendable (URL) -> Bool, isExact: @escaping @Sendable () -> Bool = { true },
            take: @escaping @Sendable (URL, OpenURLOptions) throws(CallbackRefusal) -> Void,
            noteRefusal: @escaping @Sendable (CallbackRefusal) -> Void
        ) {
            self.accepts = accepts
            self.isExact = isExact
            self.take = take
            self.noteRefusal = noteRefusal
        }
    }

    private struct State {
        var waiting: [(number: Int, Waiting)] = []
        var last = 0
    }

    private let state = Mutex(State())

    /// Creates a router without waiting logins.
    package init() {}

    /// Delivers a URL to the login that waits for it.
    ///
    /// - Throws: ``CallbackRefusal``; then no login has continued.
    public func open(_ url: URL, options: OpenURLOptions = OpenURLOptions()) throws(CallbackRefusal) {
        let accepting = state.withLock { $0.waiting.map(\.1) }.filter { $0.accepts(url) }
        let exact = accepting.filter { $0.isExact() }
        let found = exact.isEmpty ? accepting : exact
        guard let only = found.first else { throw .notAwaited }
        guard found.count == 1 else {
            let refusal = CallbackRefusal.ambiguous(waiting: found.count)
            for waiting in found { waiting.noteRefusal(refusal) }
            throw refusal
        }
        do {
            try only.take(url, options)
        } catch {
            only.noteRefusal(error)
            throw error
        }
    }

    /// Waits for URLs while an operation runs.
    package func wait<Result>(
        _ waiting: Waiting, during work: () async throws -> Result
    ) async rethrows -> Result {
        let number = state.withLock { state in
            state.last += 1
            state.waiting.append((state.last, waiting))
            return state.last
        }
        defer { state.withLock { $0.waiting.removeAll { $0.number == number } } }
        return try await work()
    }
}
