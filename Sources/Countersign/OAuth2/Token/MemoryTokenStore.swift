#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import Synchronization

/// Stores tokens in memory, one per ``Origin``, until the process ends.
///
/// Sessions of one process may share a store. For several processes see ``OAuth2TokenStore``.
public final class MemoryTokenStore: OAuth2TokenStore {
    private let tokens = Mutex<[Origin: OAuth2Token]>([:])

    /// Creates an empty store.
    public init() {}

    /// Stores a token for the origin of a URL.
    ///
    /// - Throws: ``CountersignError`` with the code ``CountersignError/Code/invalidRequest`` if the URL has no origin.
    public func store(token: OAuth2Token, for url: URL) throws {
        guard let origin = Origin(url) else {
            throw CountersignError(.invalidRequest, detail: "a token can be stored only for an absolute http or https URL")
        }
        tokens.withLock { $0[origin] = token }
    }

    public func token(for url: URL) -> OAuth2Token? {
        guard let origin = Origin(url) else { return nil }
        return tokens.withLock { $0[origin] }
    }

    public func deleteToken(for url: URL) {
        guard let origin = Origin(url) else { return }
        tokens.withLock { $0[origin] = nil }
    }

    public func clear() {
        tokens.withLock { $0 = [:] }
    }
}

extension MemoryTokenStore: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The number of tokens.
    public var description: String {
        let count = tokens.withLock { $0.count }
        return "MemoryTokenStore(\(count) \(count == 1 ? "token" : "tokens"), \(redacted))"
    }

    public var debugDescription: String { description }

    // `dump(_:)` and loggers that use reflection read the mirror.
    public var customMirror: Mirror {
        Mirror(self, children: ["origins": tokens.withLock { $0.keys.map(\.description).sorted() }], displayStyle: .class)
    }
}
