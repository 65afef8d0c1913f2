import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import Transmission

/// Transmission, whose server first asks for a password, then answers each request without its session id by the id: one id serves all.
struct TransmissionShow: DemoShow {
    let row = "Transmission"

    func show(
        _ landscape: Landscape, _ options: DemoClientOptions, progress: @escaping @Sendable (String) -> Void
    ) async -> DemoRow {
        var row = DemoRow(method: row, challenge: "", steps: [], requests: options.simultaneousRequests)
        do {
            try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
                let client = Client(mock, options)
                do {
                    try await show(mock, client, options, progress, in: &row)
                } catch {
                    row.problems.append("\(error)")
                }
                await client.session.invalidate(cancelling: true)
            }
        } catch {
            row.problems.append("\(error)")
        }
        return row
    }

    private func show(
        _ mock: MockTransmission, _ client: Client, _ options: DemoClientOptions,
        _ progress: @escaping @Sendable (String) -> Void, in row: inout DemoRow
    ) async throws {
        progress("\(row.method): signing in")
        _ = options.steps.take()
        try await client.get(mock.url)
        let first = mock.statistics
        guard client.asked.count == 1, first.unauthorized == 1, first.conflicts == 1, first.answered == 1 else {
            throw DemoError(
                "a single request took \(first.unauthorized + first.conflicts) challenges and \(client.asked.count) questions")
        }
        row.steps = options.steps.take()

        progress("\(row.method): \(options.simultaneousRequests) requests at once, without a good session id")
        mock.changeSession()
        mock.resetStatistics()
        let counted = client.authentications.count
        let gate = mock.hold(until: options.simultaneousRequests)
        let start = ContinuousClock.now
        await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<options.simultaneousRequests {
                group.addTask {
                    do {
                        try await client.get(mock.url)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await failure in group {
                if let failure { row.problems.append("\(failure)") } else { row.answered += 1 }
            }
        }
        row.seconds = (ContinuousClock.now - start) / .seconds(1)
        row.challenge = "409 x-transmission-session-id"
        row.challenged = mock.statistics.conflicts
        row.authentications = client.authentications.count - counted
        row.sends = mock.statistics.sends
        row.judge()
        if gate.hasTimedOut { row.problems.append("only \(gate.arrived) requests arrived before one was answered") }
        if client.asked.count > 1 { row.problems.append("the password was asked for again") }
    }

    /// A session with the generated observers.
    private struct Client {
        let session: Session
        let asked = Counter()
        let authentications = AuthenticationCounter()

        init(_ mock: MockTransmission, _ options: DemoClientOptions) {
            var transport = AsyncHTTPClientTransport.Configuration()
            transport.maximumConnectionsPerHost = options.simultaneousRequests
            var configuration = SessionConfiguration()
            configuration.sharesAuthentications = options.sharesAuthentications
            configuration.eventObservers = [options.steps, authentications]
            session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
            session.register(
                HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [mock.url]), prompting: Person(asked: asked)))
            session.register(TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])))
        }

        func get(_ url: URL) async throws {
            let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
            guard response.head.status == .ok else { throw DemoError("status \(response.head.status.code)") }
            _ = try await response.body.collect(upTo: 4096)
        }
    }

    /// Types the password.
    private struct Person: HTTPBasicPrompting {
        let asked: Counter

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            asked.add()
            return ("alice", "wonderland")
        }
    }
}

/// Counts the authentications of a session that ended well.
private final class AuthenticationCounter: SessionEventObserver {
    private let counter = Counter()

    var count: Int { counter.count }

    func observe(_ event: SessionEvent) { if case .authenticated = event.kind { counter.add() } }
}
