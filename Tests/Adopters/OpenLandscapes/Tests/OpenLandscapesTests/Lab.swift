import Countersign
import CountersignAsyncHTTPClient
import Foundation
import Synchronization
import Testing

/// The lab's servers, started by `.ci/lab-open`.
enum Lab {
    static var folder: String? { ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"] }

    /// Makes a session that trusts the lab's certificate authority.
    static func session(
        _ observers: any SessionObserver..., events: [any SessionEventObserver] = [], presenter: (any WebPresenter)? = nil,
        connections: Int = 100
    ) throws -> Session {
        let authority = URL(filePath: try #require(folder)).appending(path: "ca/root.crt")
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .pem(Array(try Data(contentsOf: authority)))
        transport.maximumConnectionsPerHost = connections
        var configuration = SessionConfiguration()
        configuration.eventObservers = events
        configuration.presenter = presenter
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        for observer in observers { session.register(observer) }
        return session
    }

    /// Runs skopeo, the registry client of the container tools, and returns its output.
    static func skopeo(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["skopeo", "--insecure-policy"] + arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: printed, as: UTF8.self)
    }
}

/// Counts the events of a session.
final class Events: SessionEventObserver {
    private let kinds = Mutex<[SessionEvent.Kind]>([])

    func observe(_ event: SessionEvent) { kinds.withLock { $0.append(event.kind) } }

    func count(_ isWanted: (SessionEvent.Kind) -> Bool) -> Int { kinds.withLock { $0.count(where: isWanted) } }
}
