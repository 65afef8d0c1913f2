import Countersign
import CountersignAsyncHTTPClient
import CountersignEtcdStore
import CountersignFileStore
import CountersignTesting
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// A member of a cluster of etcd, alone or one of three: a process on a port of 127.0.0.1, or on a machine of a test's own
/// network.
final class RunningEtcd: Sendable {
    static let isInstalled = ForeignProgram.isInstalled("etcd") && ForeignProgram.isInstalled("etcdctl")

    /// The setup of the cluster.
    struct Options {
        /// The authority of the server's certificate; `nil` without TLS.
        var authority: MockCertificateAuthority?
        /// Whether clients must present certificates of the authority.
        var demandsCertificates = false
        /// The size limit in bytes; 0 for the default.
        var quota = 0
    }

    let endpoint: URL
    /// The file of the authority's certificate, for a server with TLS.
    let authorityFile: URL
    private let address: String
    private let folder: URL
    private let arguments: [String]
    private let process = Mutex<ForeignProgram?>(nil)

    /// Runs a test with one member, and deletes its data.
    static func run(_ options: Options = Options(), _ body: (RunningEtcd) async throws -> Void) async throws {
        let etcd = try RunningEtcd(options)
        defer { etcd.remove() }
        try await etcd.start()
        try await body(etcd)
    }

    /// Runs a test with a cluster of three members.
    ///
    /// - Parameter machines: The machines of the members; empty for this machine.
    static func runThree(
        _ options: Options = Options(), on machines: [TestNetwork.Machine] = [], _ body: ([RunningEtcd]) async throws -> Void
    ) async throws {
        var peers = machines.map { "\($0.peerAddress):2380" }
        while peers.count < 3 { peers.append("127.0.0.1:\(try ForeignProgram.freePort())") }
        let members = try peers.indices.map {
            try RunningEtcd(options, member: $0, of: peers, on: machines.isEmpty ? nil : machines[$0])
        }
        defer { for member in members { member.remove() } }
        // A single member does not serve, so all are started first.
        for member in members { try member.launch() }
        for member in members { try await member.waitUntilListening() }
        try await body(members)
    }

    private init(
        _ options: Options, member: Int = 0, of peers: [String]? = nil, on machine: TestNetwork.Machine? = nil
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "countersign-etcd-\(UUID().uuidString)")
        authorityFile = folder.appending(path: "ca.pem")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let port = try machine == nil ? ForeignProgram.freePort() : 2379
        let peers = try peers ?? ["127.0.0.1:\(ForeignProgram.freePort())"]
        let cluster = peers.enumerated().map { "m\($0)=http://\($1)" }.joined(separator: ",")
        let scheme = options.authority == nil ? "http" : "https"
        let name = machine?.addresses[0] ?? (options.authority == nil ? "127.0.0.1" : "localhost")
        endpoint = try #require(URL(string: "\(scheme)://\(name):\(port)"))
        address = machine?.addresses[0] ?? "127.0.0.1"
        var arguments =
            (machine?.wrapper ?? []) + [
                "etcd", "--name", "m\(member)", "--data-dir", folder.appending(path: "data").path,
                "--listen-client-urls", "\(scheme)://\(machine == nil ? "127.0.0.1" : "0.0.0.0"):\(port)",
                "--advertise-client-urls", endpoint.absoluteString, "--listen-peer-urls", "http://\(peers[member])",
                "--initial-advertise-peer-urls", "http://\(peers[member])", "--initial-cluster", cluster,
                "--log-level", "error", "--logger", "zap", "--unsafe-no-fsync",
            ]
        // Members that share a slow machine must not take each other for gone.
        if peers.count > 1, machine == nil { arguments += ["--heartbeat-interval", "300", "--election-timeout", "3000"] }
        if let authority = options.authority {
            let credential = try authority.serverCredential(for: ["localhost"] + (machine?.addresses ?? []))
            try Data(authority.pem).write(to: authorityFile)
            try Data(credential.certificate).write(to: folder.appending(path: "server.pem"))
            try Data(credential.key.bytes).write(to: folder.appending(path: "server.key"))
            arguments += [
                "--cert-file", folder.appending(path: "server.pem").path, "--key-file", folder.appending(path: "server.key").path,
            ]
            if options.demandsCertificates {
                arguments += ["--client-cert-auth", "--trusted-ca-file", authorityFile.path]
            }
        }
        if options.quota > 0 { arguments += ["--quota-backend-bytes", "\(options.quota)"] }
        self.arguments = arguments
    }

    /// Starts the member with the data that was stored before.
    func start() async throws {
        try launch()
        try await waitUntilListening()
    }

    private func launch() throws {
        let program = try ForeignProgram(arguments, log: folder.appending(path: "log"))
        process.withLock { $0 = program }
    }

    private func waitUntilListening() async throws {
        let program = try #require(process.withLock { $0 })
        let port = try #require(endpoint.port)
        // A member that listens may not serve yet; requests of the gateway wait for that.
        while program.isRunning, !ForeignProgram.isListening(port, at: address) { try await Task.sleep(for: .milliseconds(20)) }
        let log = folder.appending(path: "log")
        try #require(program.isRunning, "etcd ended: \((try? String(contentsOf: log, encoding: .utf8)) ?? "")")
    }

    /// Ends the member abruptly, like a loss of power.
    func stop() { process.withLock { $0.take() }?.kill() }

    /// Suspends the member without ending it.
    func pause() { process.withLock { $0 }?.signal(SIGSTOP) }

    func resume() { process.withLock { $0 }?.signal(SIGCONT) }

    private func remove() {
        stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs etcd's own client, and returns what it prints.
    @discardableResult
    func control(_ arguments: String...) async throws -> String { try await control(arguments) }

    @discardableResult
    func control(_ arguments: [String]) async throws -> String {
        let trust = endpoint.scheme == "https" ? ["--cacert", authorityFile.path] : []
        return try await ForeignProgram.output(
            of: ["etcdctl", "--endpoints", endpoint.absoluteString, "--command-timeout=20s"] + trust + arguments,
            environment: ["ETCDCTL_API": "3"])
    }

    /// Returns the number of requests of a kind that the member has served, such as `Txn`, or of all with `nil`.
    func requests(_ kind: String? = nil) async throws -> Int {
        let (data, _) = try await PlainClient.get(endpoint.appending(path: "metrics"))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").reduce(into: 0) { sum, line in
            guard line.hasPrefix("grpc_server_started_total"), kind.map({ line.contains("grpc_method=\"\($0)\"") }) ?? true,
                let count = line.split(separator: " ").last.flatMap({ Double($0) })
            else { return }
            sum += Int(count)
        }
    }

    /// Returns a configuration for the member with a unique prefix, and with time limits for a slow machine.
    func configuration(prefix: String = "/countersign/test/\(UUID().uuidString)/") -> EtcdConfiguration {
        var configuration = EtcdConfiguration(endpoints: [endpoint], prefix: prefix)
        configuration.requestTimeout = .seconds(30)
        configuration.patience = .seconds(60)
        return configuration
    }

    /// Makes a store in the cluster.
    func store(
        _ configuration: EtcdConfiguration, key: UInt8 = 1, trusting authority: MockCertificateAuthority? = nil
    ) throws -> EtcdCredentialStore {
        var transport = AsyncHTTPClientTransport.Configuration()
        if let authority { transport.trustRoots = .pem(try authority.pem) }
        return try EtcdCredentialStore(
            configuration, key: try #require(StoreKey(bytes: [UInt8](repeating: key, count: StoreKey.byteCount))),
            transport: AsyncHTTPClientTransport(configuration: transport))
    }
}

/// Requests that tests send without a store.
enum PlainClient {
    static func get(_ url: URL) async throws -> ([UInt8], Int) {
        let session = Session(transport: AsyncHTTPClientTransport())
        let response = try await session.send(SessionRequest(.init(method: .get, url: url)))
        let body = try await response.body.collect(upTo: 4 << 20)
        await session.invalidate(cancelling: true)
        return (body, response.head.status.code)
    }

    static func post(_ body: Data, to url: URL) async throws {
        let session = Session(transport: AsyncHTTPClientTransport())
        let response = try await session.send(SessionRequest(.init(method: .post, url: url), body: .bytes(body)))
        try #require(response.head.status == .ok)
        await session.invalidate(cancelling: true)
    }
}

/// A port whose connections are established by the system, and that never responds.
final class SilentListener: Sendable {
    let url: URL
    private let socket: Int32

    init() throws {
        let port = try ForeignProgram.freePort()
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        socket = try ForeignProgram.listen(on: port)
    }

    /// Accepts the connections that were made since the last call, closes them, and returns their number.
    func accept() -> Int {
        var count = 0
        var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, 0) == 1 {
            let connection = Foundation.accept(socket, nil, nil)
            guard connection >= 0 else { break }
            Foundation.close(connection)
            count += 1
        }
        return count
    }

    func close() { Foundation.close(socket) }
}
