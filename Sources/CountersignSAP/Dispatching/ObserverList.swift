import Synchronization

/// Observers in the order of their registration, none of which is kept alive.
final class ObserverList: Sendable {
    private struct Reference {
        weak var observer: (any AppDelegateObserving)?
    }

    private let references = Mutex<[Reference]>([])

    /// Those that are still there.
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
