#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// Where the URLs arrive that this application is opened with, and where logins wait for them.
///
/// An application hands in what the system gives it:
///
/// ```swift
/// func opened(with url: URL) {
///     do {
///         try CallbackDesk.shared.open(url, options: OpenURLOptions(sourceApplication: "com.example.authenticator"))
///     } catch {
///         // `error` says why no login went on: none waits, or the URL is not what it has to be.
///     }
/// }
/// ```
///
/// A URL goes to the one login that waits for it; a login that was given its whole scheme comes before those that take any of the
/// kind. If there are still several it goes to none of them: which one is meant is ambiguous, and a passcode is used once.
public final class CallbackDesk: Sendable {
    /// The desk of the process: the system opens applications, not logins.
    public static let shared = CallbackDesk()

    /// Something that waits for a URL.
    package struct Waiting: Sendable {
        /// Whether a URL is for it, as far as the address tells.
        package let accepts: @Sendable (URL) -> Bool
        /// Whether it knows exactly which address is its own.
        package let isExact: @Sendable () -> Bool
        /// Takes the URL, or says why not.
        package let take: @Sendable (URL, OpenURLOptions) throws(CallbackRefusal) -> Void
        /// Called when a URL that was for it was refused.
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

    /// Makes a desk that is not in use yet.
    package init() {}

    /// Hands a URL to the login that waits for it.
    ///
    /// - Throws: ``CallbackRefusal``, and no login has gone on.
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

    /// Waits for URLs for as long as something runs.
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
