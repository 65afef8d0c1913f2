#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// Navigates the page of a presenter to other URLs while it waits.
///
/// For example, a one-time passcode may come from another application instead of the user's keyboard. A presenter that can navigate
/// within the same browser subscribes to the URLs when it begins, and opens each of them:
///
/// ```swift
/// if let urls = presentation.mover?.urls() {
///     for await url in urls { open(url) }
/// }
/// ```
///
/// If a presenter does not subscribe, ``move(to:)`` throws.
public final class PageMover: Sendable {
    private let continuation = Mutex<AsyncStream<URL>.Continuation?>(nil)

    /// Creates a mover for one presentation.
    public init() {}

    deinit { continuation.withLock { $0 }?.finish() }

    /// Subscribes to the URLs.
    ///
    /// - Returns: The URLs to open. Of several that arrive before the presenter reads, only the last is delivered. Never log them,
    ///   since they may contain a passcode. A later call replaces an earlier one.
    public func urls() -> AsyncStream<URL> {
        let (stream, continuation) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let before = self.continuation.withLock { current in
            defer { current = continuation }
            return current
        }
        before?.finish()
        return stream
    }

    /// Navigates the page to a URL.
    ///
    /// - Throws: ``CallbackRefusal/presenterCannotMove`` if the presenter has not subscribed, or has ended its subscription.
    public func move(to url: URL) throws(CallbackRefusal) {
        guard let continuation = continuation.withLock({ $0 }) else { throw .presenterCannotMove }
        if case .terminated = continuation.yield(url) { throw .presenterCannotMove }
    }
}
