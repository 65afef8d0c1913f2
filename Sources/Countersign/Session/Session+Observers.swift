internal import Logging
internal import Synchronization

extension Session {
    /// Adds an observer, after those that are there.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with
    ///   a message that names the observer: a silent second one would answer every challenge twice.
    public func register(_ observer: any SessionObserver) {
        let isNew = state.withLock { state in
            guard !state.observers.contains(where: { $0 === observer }) else { return false }
            state.observers.append(observer)
            return true
        }
        guard isNew else {
            let message = "\(observer.name) is registered on this session already; register each observer once"
            // An optimized build drops a precondition's message, the log keeps it.
            configuration.logger?.critical("\(message)")
            preconditionFailure(message)
        }
        observer.didRegister(on: self)
    }

    /// Takes an observer off the session; it forgets what it knows of it. Does nothing for one that is not registered.
    public func unregister(_ observer: any SessionObserver) {
        let wasThere = state.withLock { state in
            guard let index = state.observers.firstIndex(where: { $0 === observer }) else { return false }
            state.observers.remove(at: index)
            return true
        }
        if wasThere { observer.didEndSession(self) }
    }

    /// Whether an observer is registered.
    func isRegistered(_ observer: any SessionObserver) -> Bool {
        state.withLock { $0.observers.contains { $0 === observer } }
    }
}
