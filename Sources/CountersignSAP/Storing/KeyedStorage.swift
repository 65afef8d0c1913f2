internal import Foundation
internal import Synchronization

/// The application's store and the function that returns the key for a URL, shared by the storages of the SDK.
final class KeyedStorage: Sendable {
    private struct State: Sendable {
        var store: any CodableStoring
        var keyHandler: @Sendable (URL) -> String
    }

    private let state: Mutex<State>

    init(store: any CodableStoring, keyHandler: @escaping @Sendable (URL) -> String) {
        state = Mutex(State(store: store, keyHandler: keyHandler))
    }

    /// The store of the values.
    var store: any CodableStoring {
        get { state.withLock { $0.store } }
        set { state.withLock { $0.store = newValue } }
    }

    /// Returns the key for a URL.
    var keyHandler: @Sendable (URL) -> String {
        get { state.withLock { $0.keyHandler } }
        set { state.withLock { $0.keyHandler = newValue } }
    }
}

extension CodableStoring {
    /// Deletes the values of all keys with a prefix.
    ///
    /// If the store fails, its values are kept, since the caller cannot be notified.
    func removeAll(withPrefix prefix: String) {
        guard let keys = try? keys() else { return }
        for key in keys where key.hasPrefix(prefix) { try? remove(for: key) }
    }
}
