import EditedMobileServices
import Foundation
import HTTPTypes
import Synchronization

// Sends one request to a server that marks its response with the field value of the command line, and prints the number of
// responses that the compiled client recognised as challenges.

struct MarkedServer: HTTPTransport {
    let mark: String

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var head = HTTPResponse(status: .ok)
        if let name = HTTPField.Name("com.sap.cloud.security.login") { head.headerFields[name] = mark }
        return SessionResponse(head: head, url: request.head.url ?? URL(filePath: "/"), body: ResponseBody())
    }

    func shutdown() async throws {}
}

final class ChallengeCounter: SessionEventObserver {
    private let challenges = Mutex(0)
    var count: Int { challenges.withLock { $0 } }

    func observe(_ event: SessionEvent) {
        if case .challenged = event.kind { challenges.withLock { $0 += 1 } }
    }
}

guard let backend = URL(string: "https://backend.example"), let mark = CommandLine.arguments.dropFirst().first else { exit(64) }
let counter = ChallengeCounter()
var configuration = SAPURLSession.Configuration()
configuration.session.eventObservers = [counter]
let session = SAPURLSession(configuration: configuration, transport: MarkedServer(mark: mark))
session.register(SAMLObserver(settingsParameters: SAPcpmsSettingsParameters(backendURL: backend, applicationID: "probe")))
// If the response is a challenge, the request fails, because there is no presenter.
_ = try? await session.data(from: backend.appending(path: "orders"))
print("challenges: \(counter.count)")
