#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// Moves a page that a presenter shows to other URLs while it waits there.
///
/// A one-time passcode, for example, may come from another application instead of being typed by the user. A presenter that can go
/// to another page within the same browser takes the URLs when it begins, and opens each of them when it comes:
///
/// ```swift
/// if let urls = presentation.mover?.urls() {
///     for await url in urls { open(url) }
/// }
/// ```
///
/// A presenter that cannot takes none; then ``move(to:)`` throws.
public final class PageMover: Sendable {
    private let continuation = Mutex<AsyncStream<URL>.Continuation?>(nil)

    /// Makes a mover for one presentation.
    public init() {}

    deinit { continuation.withLock { $0 }?.finish() }

    /// Says that the page can be moved from now on.
    ///
    /// - Returns: The URLs to open, each as soon as it is there; of several that came meanwhile the last. They belong in no log, for they
    ///   may hold a passcode. A later call takes the place of an earlier one.
    public func urls() -> AsyncStream<URL> {
        let (stream, continuation) = AsyncStream<URL>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let before = self.continuation.withLock { current in
            defer { current = continuation }
            return current
        }
        before?.finish()
        return stream
    }

    /// Moves the page.
    ///
    /// - Throws: ``CallbackRefusal/presenterCannotMove`` if the presenter has not asked for URLs, or asks for no more.
    public func move(to url: URL) throws(CallbackRefusal) {
        guard let continuation = continuation.withLock({ $0 }) else { throw .presenterCannotMove }
        if case .terminated = continuation.yield(url) { throw .presenterCannotMove }
    }
}
