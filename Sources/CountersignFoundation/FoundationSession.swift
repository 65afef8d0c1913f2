public import Countersign
internal import CountersignAsyncHTTPClient
internal import Synchronization

/// A session in the words of Foundation: `URLRequest` in, `Data` and `URLResponse` out, with completion handlers or `await`.
///
/// It is a thin surface over the runtime's ``Countersign/Session``, which sends, answers challenges and resends. It never uses
/// `URLSession`.
///
/// **Lifetimes.** A session has a transport and with it connections of its own. Tasks under way keep the session alive; when the last
/// reference goes, its connections close by themselves. ``finishTasksAndInvalidate()`` and ``invalidateAndCancel()`` end it at a chosen
/// moment.
public final class FoundationSession: Sendable {
    /// What the session was made with.
    public let configuration: Configuration
    /// The session of the runtime.
    public let session: Session
    /// The session's cookies.
    public let cookieStorage: FoundationCookieStorage

    private struct State {
        var description: String?
        var isValid = true
        var lastTask = 0
        var observers: [ObjectIdentifier: (observer: any FoundationSessionObserving, native: any SessionObserver)] = [:]
    }
    private let state = Mutex(State())

    /// Makes a session.
    public convenience init(configuration: Configuration = Configuration()) {
        self.init(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: configuration.transport))
    }

    /// Makes a session with another way to servers; `configuration.transport` has no meaning then.
    ///
    /// - Parameter ownsTransport: Whether invalidating the session shuts the transport down.
    public init(configuration: Configuration = Configuration(), transport: any HTTPTransport, ownsTransport: Bool = true) {
        let storage = configuration.cookieStorage ?? FoundationCookieStorage()
        self.configuration = configuration
        cookieStorage = storage
        session = Session(configuration: configuration.session, transport: transport, cookies: storage.jar, ownsTransport: ownsTransport)
    }

    /// A name for people who look at logs.
    public var sessionDescription: String? {
        get { state.withLock(\.description) }
        set { state.withLock { $0.description = newValue } }
    }

    /// Whether the session still takes requests.
    public var isValid: Bool { state.withLock(\.isValid) }

    func nextTaskIdentifier() -> Int {
        state.withLock { state in
            state.lastTask += 1
            return state.lastTask
        }
    }
}

// MARK: - Observers

extension FoundationSession {
    /// Adds an observer, after those that are there.
    ///
    /// - Precondition: The same instance is not registered. Registering it twice is a programming error and stops the program with a
    ///   message that names the observer.
    public func register(_ observer: any FoundationSessionObserving) {
        let native = observer.makeSessionObserver(for: self)
        let isNew = state.withLock { state in
            guard state.observers[ObjectIdentifier(observer)] == nil else { return false }
            state.observers[ObjectIdentifier(observer)] = (observer, native)
            return true
        }
        precondition(isNew, "\(type(of: observer)) is registered on this session already; register each observer once")
        session.register(native)
    }

    /// Takes an observer off the session. Does nothing for one that is not registered.
    public func unregister(_ observer: any FoundationSessionObserving) {
        let entry = state.withLock { $0.observers.removeValue(forKey: ObjectIdentifier(observer)) }
        if let entry { session.unregister(entry.native) }
    }
}

// MARK: - The end

extension FoundationSession {
    /// Ends the user's session: cookies and credentials are dropped, and no request under way is sent again as somebody else.
    public func endSession() { session.endSession() }

    /// Takes no more requests, and closes the connections when those under way have ended.
    public func finishTasksAndInvalidate() { invalidate(cancelling: false) }

    /// Takes no more requests, ends those under way, and closes the connections.
    public func invalidateAndCancel() { invalidate(cancelling: true) }

    private func invalidate(cancelling: Bool) {
        state.withLock { $0.isValid = false }
        Task { [session] in await session.invalidate(cancelling: cancelling) }
    }
}
