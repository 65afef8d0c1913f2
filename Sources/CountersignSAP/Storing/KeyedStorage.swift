internal import Foundation
internal import Synchronization

/// A store of an application's own and the key for each address: what the storages of the SDK have in common.
final class KeyedStorage: Sendable {
    private struct State: Sendable {
        var store: any CodableStoring
        var keyHandler: @Sendable (URL) -> String
    }

    private let state: Mutex<State>

    init(store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String) {
        state = Mutex(State(store: store, keyHandler: keyHandler))
    }

    /// Keeps the values.
    var store: any CodableStoring {
        get { state.withLock { $0.store } }
        set { state.withLock { $0.store = newValue } }
    }

    /// The key for an address.
    var keyHandler: @Sendable (URL) -> String {
        get { state.withLock { $0.keyHandler } }
        set { state.withLock { $0.keyHandler = newValue } }
    }
}

extension CodableStoring {
    /// Forgets the values of all keys with a prefix.
    ///
    /// A store that fails keeps what it has: the caller cannot be notified.
    func removeAll(withPrefix prefix: String) {
        guard let keys = try? keys() else { return }
        for key in keys where key.hasPrefix(prefix) { try? remove(for: key) }
    }
}
