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
        // The client's time limits for reading and writing are not used: the former also counts while the application does not
        // read (`IdleTimeout`), and the latter's state machine traps (1.37, `IdleWriteStateMachine`) if a server responds to a large
        // body early and the next request uses the same connection.
        connectionPool.idleTimeout = TimeAmount(configuration.keepAlive)
        // This exceeds the number of exchanges that the gate admits, including long-lasting ones and those of authentications.
        // The product would overflow with `Int.max`, which an application can set for no limit.
        connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 4 * min(configuration.maximumConnectionsPerHost, 1 << 24) + 64
        // Retries hide the reason of a connection failure until the time limit. A session decides about retries itself.
        connectionPool.retryConnectionEstablishment = false
        switch configuration.httpVersion {
        case .automatic: httpVersion = .automatic
        case .http1Only: httpVersion = .http1Only
        }
        // Spans would contain complete URLs, which can include codes and tokens.
        tracing.tracer = nil
        ResponseCheck.install(in: &self, idleTimeout: configuration.idleTimeout.map { TimeAmount($0) })
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
    /// Creates the TLS settings, once for each client, because its connection pools and its cache of TLS contexts compare these
    /// values.
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
