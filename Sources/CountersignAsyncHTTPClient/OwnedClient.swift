internal import AsyncHTTPClient
internal import Countersign
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// An HTTP client that is shut down when it is released.
///
/// async-http-client traps (in debug builds) when a client is released that was not shut down. Therefore all users of the client
/// retain this object instead: the transport, and each exchange until its body has ended.
final class OwnedClient: Sendable {
    static let eventLoops = MultiThreadedEventLoopGroup.singleton

    /// The client that keeps connections for later requests.
    private let client: HTTPClient
    /// The client that closes each connection after its exchange.
    private let unpooled: HTTPClient
    /// The error of an unusable configuration, for example with unreadable certificates; `nil` for none.
    let defect: (any Error)?
    private let configuration: AsyncHTTPClientTransport.Configuration
    private let isShutDown = Mutex(false)
    private let tls: TLSConfiguration
    private let presenting = Mutex(PresentedIdentities())

    init(configuration: AsyncHTTPClientTransport.Configuration) {
        // NIO's own sockets are always used, because client certificates are a fatal error on the default event loops of Apple
        // systems.
        let certificates = Result { try configuration.trustRoots.certificates() }
        if case .failure(let error) = certificates { defect = error } else { defect = nil }
        self.configuration = configuration
        tls = TLSConfiguration(configuration, certificates: (try? certificates.get()) ?? [])
        let settings = HTTPClient.Configuration(configuration, tls: tls)
        client = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings)
        unpooled = HTTPClient(eventLoopGroup: Self.eventLoops, configuration: settings.withoutPool)
    }

    /// Creates a client with changed settings of another one, for example to check each connection before its use.
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

    /// Returns the client for a request.
    func client(for request: SessionRequest) -> HTTPClient { request.needsNewConnection ? unpooled : client }

    /// Returns the TLS settings for connections with an identity. They are the same value each time, so that such requests share
    /// connections and one TLS context.
    ///
    /// - Throws: `TransportError` if the identity cannot be read.
    func configuration(presenting identity: ConnectionIdentity) throws -> TLSConfiguration {
        try presenting.withLock { try $0.configuration(for: identity, from: tls) }
    }

    deinit {
        guard !isShutDown.withLock({ $0 }) else { return }
        // The client retains itself until the shutdown has finished. No caller is left to notify, and no exchange is running that
        // could fail.
        client.shutdown { _ in }
        unpooled.shutdown { _ in }
    }

    func shutDown() async {
        let isFirst = isShutDown.withLock { isShutDown in
            defer { isShutDown = true }
            return !isShutDown
        }
        // The only possible error is that of a client that was already shut down, which is excluded here.
        guard isFirst else { return }
        try? await client.shutdown()
        try? await unpooled.shutdown()
    }

    /// Returns when every event loop has executed the work that was submitted before this call.
    static func untilEventLoopsCaughtUp() async throws {
        let answers = eventLoops.makeIterator().map { $0.submit {} }
        for answer in answers { try await answer.get() }
    }

    /// Converts an error of the client or of an underlying library to the transport's error type.
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
    /// The same configuration, in which idle connections are closed immediately.
    fileprivate var withoutPool: HTTPClient.Configuration {
        var settings = self
        settings.connectionPool.idleTimeout = .zero
        return settings
    }
}
