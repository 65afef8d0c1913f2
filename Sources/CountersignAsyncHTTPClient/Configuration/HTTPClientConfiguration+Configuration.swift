internal import AsyncHTTPClient
internal import NIOCore
internal import NIOSSL

extension HTTPClient.Configuration {
    init(_ configuration: AsyncHTTPClientTransport.Configuration, tls: TLSConfiguration) {
        self.init(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: Timeout(connect: TimeAmount(configuration.connectTimeout)),
            proxy: configuration.proxy.map(Proxy.init),
            decompression: .disabled)
        timeout.read = configuration.idleTimeout.map { TimeAmount($0) }
        // No limit of the client's for writing: its state machine stops the program (1.37, `IdleWriteStateMachine`) where a server answers a large
        // body early, and the next request goes over the same connection.
        connectionPool.idleTimeout = TimeAmount(configuration.keepAlive)
        // More than the gate lets through, lasting ones and those of authentications included.
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4 * configuration.maximumConnectionsPerHost + 64
        // Retries hide why a connection failed until the time is over; a session decides what to repeat.
        connectionPool.retryConnectionEstablishment = false
        switch configuration.httpVersion {
        case .automatic: httpVersion = .automatic
        case .http1Only: httpVersion = .http1Only
        }
        // Spans would carry whole URLs, and URLs can carry codes and tokens.
        tracing.tracer = nil
    }
}

extension HTTPClient.Configuration.Proxy {
    init(_ proxy: AsyncHTTPClientTransport.Proxy) {
        switch proxy.kind {
        case .http(let credential):
            self = .server(
                host: proxy.host, port: proxy.port,
                authorization: credential.map { .basic(username: $0.username, password: $0.password) })
        case .socks:
            self = .socksServer(host: proxy.host, port: proxy.port)
        }
    }
}

extension TLSConfiguration {
    /// Made once for each client: the client's connection pools and its cache of TLS contexts compare these values.
    init(_ configuration: AsyncHTTPClientTransport.Configuration, certificates: [NIOSSLCertificate]) {
        self = .makeClientConfiguration()
        switch configuration.minimumTLSVersion {
        case .tls12: minimumTLSVersion = .tlsv12
        case .tls13: minimumTLSVersion = .tlsv13
        }
        if !configuration.trustRoots.usesSystem {
            trustRoots = .certificates(certificates)
        } else if !certificates.isEmpty {
            additionalTrustRoots = [.certificates(certificates)]
        }
    }
}
