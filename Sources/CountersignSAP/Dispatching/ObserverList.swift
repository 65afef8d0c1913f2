import Synchronization

/// Observers in order of registration, which are not retained.
final class ObserverList: Sendable {
    private struct Reference {
        weak var observer: (any AppDelegateObserving)?
    }

    private let references = Mutex<[Reference]>([])

    /// The observers that still exist.
    var all: [any AppDelegateObserving] { references.withLock { $0.compactMap(\.observer) } }

    func add(_ observer: any AppDelegateObserving) {
        references.withLock { references in
            references.removeAll { $0.observer == nil }
            guard !references.contains(where: { $0.observer === observer }) else { return }
            references.append(Reference(observer: observer))
        }
    }

    func remove(_ observer: any AppDelegateObserving) {
        references.withLock { $0.removeAll { $0.observer == nil || $0.observer === observer } }
    }
}
