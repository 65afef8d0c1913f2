import EditedMobileServices
import Foundation
import HTTPTypes
import Synchronization

// Sends one request to a server that marks its answer with the field value given on the command line, and prints how often the
// compiled client took that for a challenge.

struct MarkedServer: HTTPTransport {
    let mark: String

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var head = HTTPResponse(status: .ok)
        if let name = HTTPField.Name("com.sap.cloud.security.login") { head.headerFields[name] = mark }
        return SessionResponse(head: head, url: URL(filePath: "/"), body: ResponseBody())
    }

    func shutdown() async throws {}
}

final class Counter: SessionEventObserver {
    let challenges = Mutex(0)
    func observe(_ event: SessionEvent) {
        if case .challenged = event.kind { challenges.withLock { $0 += 1 } }
    }
}

let counter = Counter()
var configuration = SessionConfiguration()
configuration.eventObservers = [counter]
let session = Session(configuration: configuration, transport: MarkedServer(mark: CommandLine.arguments.dropFirst().first ?? ""))
guard let backend = URL(string: "https://backend.example") else { exit(64) }
session.register(SAMLObserver(settingsParameters: SAPcpmsSettingsParameters(backendURL: backend, applicationID: "probe")).makeSessionObserver())
let request = HTTPRequest(method: .get, scheme: "https", authority: "backend.example", path: "/orders")
_ = try? await session.send(SessionRequest(request))
print("challenges: \(counter.challenges.withLock { $0 })")
