internal import Logging
internal import Synchronization

extension Session {
    /// Adds an observer after the existing ones.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with
    ///   a message that names the observer, since it would answer every challenge twice.
    public func register(_ observer: any SessionObserver) { register(observer, for: observer) }

    /// Adds an observer on behalf of another object, which can be registered only once.
    ///
    /// - Parameter seesTasks: Whether the observer uses ``ExchangeContext/task``.
    package func register(
        _ observer: any SessionObserver, for registrant: any AnyObject & Sendable, seeingTasks seesTasks: Bool = false
    ) {
        let isNew = state.withLock { state in
            guard !state.registrations.contains(where: { $0.registrant === registrant }) else { return false }
            state.registrations.append(SessionState.Registration(observer: observer, registrant: registrant, seesTasks: seesTasks))
            return true
        }
        guard isNew else {
            let name = registrant === observer ? observer.name : "\(type(of: registrant))"
            let message = "\(name) is registered on this session already; register each observer once"
            configuration.logger?.critical("\(message)")
            // A programming error that ends the program, as a precondition does, but with its message in optimized builds too.
            fatalError(message)
        }
        observer.didRegister(on: self)
    }

    /// Removes an observer, which then drops its state of the session. Does nothing if it is not registered.
    ///
    /// Stored credentials are kept, and the result of a running renewal is stored. A renewed credential that the store fails to save,
    /// before or after the removal, is kept for the next registration.
    public func unregister(_ observer: any SessionObserver) { unregister(registrant: observer) }

    /// Removes the observer of an object.
    package func unregister(registrant: any AnyObject & Sendable) {
        let observer = state.withLock { state in
            let index = state.registrations.firstIndex { $0.registrant === registrant }
            return index.map { state.registrations.remove(at: $0).observer }
        }
        if let credentials = (observer as? any StoringObserver)?.credentials {
            // A new registration of the same observer may have begun, which does not make this a logout.
            credentials.end(isRegistered: false, in: self)
        } else {
            observer?.didEndSession(self)
        }
    }

    /// Whether an observer uses ``ExchangeContext/task``.
    package var showsTasks: Bool { state.withLock { $0.registrations.contains(where: \.seesTasks) } }

    /// Whether an observer is registered.
    func isRegistered(_ observer: any SessionObserver) -> Bool {
        state.withLock { $0.registrations.contains { $0.observer === observer } }
    }

    /// The redirects that end the logins of all observers.
    var authorizationRedirects: [AuthorizationRedirect] {
        state.withLock { $0.observers }.flatMap { ($0 as? any RedirectedObserver)?.redirects ?? [] }
    }
}
