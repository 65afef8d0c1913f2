import Countersign
import CountersignAsyncHTTPClient
import Foundation
import Synchronization
import Testing

/// The lab's servers, started by `.ci/lab-open`.
enum Lab {
    static var folder: String? { ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"] }

    /// A session that trusts the lab's certificate authority.
    static func session(
        _ observers: any SessionObserver..., events: [any SessionEventObserver] = [], connections: Int = 100
    ) throws -> Session {
        let authority = URL(filePath: try #require(folder)).appending(path: "ca/root.crt")
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .pem(Array(try Data(contentsOf: authority)))
        transport.maximumConnectionsPerHost = connections
        var configuration = SessionConfiguration()
        configuration.eventObservers = events
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        for observer in observers { session.register(observer) }
        return session
    }
}

/// Counts what a session tells.
final class Events: SessionEventObserver {
    private let kinds = Mutex<[SessionEvent.Kind]>([])

    func observe(_ event: SessionEvent) { kinds.withLock { $0.append(event.kind) } }

    func count(_ isWanted: (SessionEvent.Kind) -> Bool) -> Int { kinds.withLock { $0.count(where: isWanted) } }
}
