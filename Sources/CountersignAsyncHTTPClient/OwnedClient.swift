internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// A client that is shut down when it is not needed any more.
///
/// async-http-client stops the program (in debug builds) when a client goes away that was not shut down. What may still use the
/// client holds this instead: the transport, and each exchange until its body has ended.
final class OwnedClient: Sendable {
    static let eventLoops = MultiThreadedEventLoopGroup.singleton

    /// Keeps connections for later requests.
    private let client: HTTPClient
    /// Closes each connection after its exchange.
    private let unpooled: HTTPClient
    /// Why the client cannot be used: its configuration names what cannot be read.
    let defect: (any Error)?
    private let configuration: AsyncHTTPClientTransport.Configuration
    private let isShutDown = Mutex(false)
    private let tls: TLSConfiguration
    private let presenting = Mutex(PresentedIdentities())

    init(configuration: AsyncHTTPClientTransport.Configuration) {
        // Always NIO's own sockets: client certificates stop the program on the loops that are the default on Apple systems.
        let certificates = Result { try configuration.trustRoots.certificates() }
        if case .failure(let error) = certificates { defect = error } else { defect = nil }
        self.configuration = configuration
        tls = TLSConfiguration(configuration, certificates: (try? certificates.get()) ?? [])
        let settings = HTTPClient.Configuration(configuration, tls: tls)
        client = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings)
        unpooled = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings.withoutPool)
    }

    /// A client with the settings of another, that looks at each connection before it is used.
    ///
    /// - Parameter change: Changes the settings.
    init(after other: OwnedClient, _ change: (inout HTTPClient.Configuration) -> Void) {
        configuration = other.configuration
        defect = other.defect
        tls = other.tls
        var settings = HTTPClient.Configuration(configuration, tls: tls)
        change(&settings)
        client = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings)
        unpooled = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings.withoutPool)
    }

    /// What a request goes by.
    func client(for request: SessionRequest) -> HTTPClient { request.needsNewConnection ? unpooled : client }

    /// The settings for connections that are made with an identity: the same value each time, so that they share connections and one TLS
    /// context.
    ///
    /// - Throws: `TransportError` if the identity cannot be read.
    func configuration(presenting identity: ConnectionIdentity) throws -> TLSConfiguration {
        try presenting.withLock { try $0.configuration(for: identity, from: tls) }
    }

    deinit {
        guard !isShutDown.withLock({ $0 }) else { return }
        // The client keeps itself until this has ended. There is no caller left to notify, and nothing under way that could fail.
        client.shutdown { _ in }
        unpooled.shutdown { _ in }
    }

    func shutDown() async {
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        // The only error is that of a client that was shut down before, which this excludes.
        guard isFirst else { return }
        try? await client.shutdown()
        try? await unpooled.shutdown()
    }

    /// Returns when every event loop has done what it was given to do before this call.
    static func untilEventLoopsCaughtUp() async throws {
        let answers = eventLoops.makeIterator().map { $0.submit {} }
        for answer in answers { try await answer.get() }
    }

    /// An error of the client or of what it is built on, in the words of the contract.
    func describe(_ error: any Error) -> any Error {
        let described = TransportError.describe(error, isShutDown: isShutDown.withLock { $0 })
        guard let proxy = configuration.proxy, let error = described as? TransportError, case .proxy = error.reason else {
            return described
        }
        return TransportError(
            error.reason, detail: "\(error.detail) (\(proxy))", requestMayHaveBeenProcessed: error.requestMayHaveBeenProcessed)
    }
}

extension HTTPClient.Configuration {
    /// The same, with connections that are closed when they idle.
    fileprivate var withoutPool: HTTPClient.Configuration {
        var settings = self
        settings.connectionPool.idleTimeout = .zero
        return settings
    }
}
