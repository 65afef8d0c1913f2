// The code of the guide "Servers and containers".

import Countersign
import CountersignAsyncHTTPClient
import CountersignBrowser
import CountersignFileStore
import CountersignMetrics
import CountersignTracing
import Foundation
import HTTPTypes
import Logging
import OAuth
import Synchronization

// snippet: service
/// A session that signs in as the service itself, without a user.
func serviceSession(
    api: URL, tokenURL: URL, clientSecret: String, store: any CredentialStore,
    events: [any SessionEventObserver] = []
) -> Session {
    var configuration = SessionConfiguration()
    configuration.logger = Logger(label: "reports.api")
    configuration.eventObservers =
        [MetricsEventObserver(), TracingEventObserver()] + events
    configuration.requestTimeout = .seconds(20)
    configuration.flightTimeout = .seconds(20)

    let session = Session(
        configuration: configuration,
        transport: AsyncHTTPClientTransport(configuration: network()))
    session.register(
        ClientCredentialsObserver(
            parameters: ClientCredentialsParameters(
                apis: [api], tokenURL: tokenURL, clientID: "reports",
                clientSecret: clientSecret),
            store: store))
    return session
}
// end

// snippet: network
/// How servers are reached, from the variables of the container.
func network(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
) -> AsyncHTTPClientTransport.Configuration {
    var network = AsyncHTTPClientTransport.Configuration()
    if let file = environment["API_CA_FILE"] {
        network.trustRoots = .system.adding(.file(file))
    }
    if let host = environment["API_PROXY_HOST"] {
        let port = environment["API_PROXY_PORT"].flatMap { Int($0) } ?? 3128
        network.proxy = .http(host: host, port: port)
    }
    network.maximumConnectionsPerHost = 32
    return network
}
// end

// snippet: key
/// The key of a store: 32 bytes in a file that the orchestrator mounts.
struct KeyFile: StoreKeySource {
    let file: URL

    func existingKey() async throws(CredentialStoreError) -> StoreKey? {
        guard let bytes = try? Data(contentsOf: file) else {
            throw CredentialStoreError(
                .keyUnavailable, detail: "the key file cannot be read")
        }
        guard let key = StoreKey(bytes: bytes) else {
            throw CredentialStoreError(
                .keyUnavailable, detail: "the key file has not 32 bytes")
        }
        return key
    }

    /// Never called: ``existingKey()`` returns a key or throws.
    func makeKey() async throws(CredentialStoreError) -> StoreKey {
        throw CredentialStoreError(
            .keyUnavailable, detail: "the orchestrator makes the key")
    }
}

func containerStore() -> EncryptedFileStore {
    EncryptedFileStore(
        folder: URL(filePath: "/var/lib/reports/credentials"),
        key: KeyFile(file: URL(filePath: "/run/secrets/store-key")))
}
// end

// snippet: secret
/// Continues with a new client secret. A stored token stays in use.
func replaceSecret(
    of former: ClientCredentialsObserver, by clientSecret: String,
    in session: Session, store: any CredentialStore
) -> ClientCredentialsObserver {
    var parameters = former.parameters
    parameters.clientSecret = clientSecret
    let next = ClientCredentialsObserver(parameters: parameters, store: store)
    session.register(next)
    session.unregister(former)
    return next
}
// end

// snippet: device
/// A session for a user who signs in on another device (RFC 8628).
func deviceSession(
    api: URL, server: URL, store: any CredentialStore
) -> Session {
    var configuration = SessionConfiguration()
    configuration.userCodePresenter = TerminalPresenter()
    let session = Session(
        configuration: configuration, transport: AsyncHTTPClientTransport())
    session.register(
        DeviceCodeObserver(
            parameters: DeviceCodeParameters(
                apis: [api], deviceURL: server.appending(path: "device"),
                tokenURL: server.appending(path: "token"), pages: [server],
                clientID: "reports"),
            store: store))
    return session
}
// end

// snippet: log
/// Shows codes in the log of a process that has no terminal.
struct LogPresenter: UserCodePresenter {
    let logger: Logger

    func present(_ presentation: UserCodePresentation) async throws {
        logger.notice(
            "Sign in at \(presentation.verificationURL)",
            metadata: ["code": "\(presentation.userCode)"])
    }
}
// end

// snippet: health
/// Whether logins succeed, for a readiness probe.
final class LoginHealth: SessionEventObserver {
    private let failure = Mutex<String?>(nil)

    /// The code of the last login's error; `nil` while logins succeed.
    var lastFailure: String? { failure.withLock { $0 } }

    func observe(_ event: SessionEvent) {
        switch event.kind {
        case .failed(let code) where code != "needs-challenge":
            failure.withLock { $0 = code }
        case .authenticated, .renewed, .adopted:
            failure.withLock { $0 = nil }
        default: break
        }
    }
}
// end

// snippet: shutdown
/// Ends a session on a signal to the process. Running exchanges may end
/// within the limit; after it they are cancelled.
func shutDown(_ session: Session, within limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask { await session.invalidate(cancelling: false) }
        group.addTask {
            try? await Task.sleep(for: limit)
            guard !Task.isCancelled else { return }
            await session.invalidate(cancelling: true)
        }
        await group.next()
        group.cancelAll()
    }
}
// end
