import Countersign
import Foundation
import HTTPTypes
import SAPMobileServices
import Synchronization

/// Sends requests for host names that do not exist to a server on this machine, and records the origin of each request.
final class NamedServers: HTTPTransport {
    private let names: [String: String]
    private let carrier = SAPURLSession()
    private let reached = Mutex<[String]>([])

    /// - Parameters:
    ///   - names: The authorities of `https` origins that stand for the server.
    ///   - server: The server.
    init(_ names: String..., at server: URL) {
        let authority = "\(server.host() ?? ""):\(server.port ?? 0)"
        self.names = Dictionary(uniqueKeysWithValues: names.map { ($0, authority) })
    }

    /// The origins, in the order of the requests.
    var origins: [String] { reached.withLock { $0 } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var request = request
        let authority = request.head.authority ?? ""
        reached.withLock { $0.append("\(request.head.scheme ?? "")://\(authority)") }
        if let server = names[authority] {
            request.head.scheme = "http"
            request.head.authority = server
        }
        return try await carrier.session.transport.send(request)
    }

    func shutdown() async throws { carrier.invalidateAndCancel() }
}
