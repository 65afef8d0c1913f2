import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes

/// The server of a landscape with its own mock, as the demo uses it.
struct DemoServer: Sendable {
    /// The URL of the requests.
    let url: URL
    /// Creates the generated observers that answer earlier challenges.
    var earlierObservers: @Sendable () -> [any SessionObserver] = { [] }
    /// The generated observer that answers the challenge.
    let observer: any SessionObserver
    /// Shows login pages, if there are any.
    var presenter: (any WebPresenter)?
    /// Shows codes that the user types on another device, if there are any.
    var userCodePresenter: (any UserCodePresenter)?
    /// The header fields that announce the client's capabilities, if the server only challenges requests with them. The observer
    /// that answers the challenge adds them itself.
    var announcement: HTTPFields = [:]
    /// The authorities of the server's certificate, in PEM; `nil` if it has none.
    var trustRoots: [UInt8]?
    /// The header field that contains the challenge; `nil` if it is in the body.
    let challengeField: HTTPField.Name?
    /// Whether requests carry the credential before the server asks for it.
    var isEager = false
    /// Returns the number of requests that the server has challenged in this way, and the number that it has received.
    let counts: @Sendable () -> (challenged: Int, sends: Int)
    /// Invalidates the credential, and resets the counts.
    let spoil: @Sendable () -> Void
    /// Ends the session, if the server cannot invalidate its credential.
    var end: @Sendable (Session) async throws -> Void = { _ in }
    /// Holds requests back until the given number has arrived.
    let hold: @Sendable (Int) -> MockGate
}

/// A row for such a landscape: a sign-in by a single request, then one authentication for many.
struct ServerShow: DemoShow {
    typealias Run = @Sendable (_ body: (DemoServer) async throws -> Void) async throws -> Void

    let row: String
    /// The difference from a real server; `nil` if there is none.
    var remark: String?
    /// Runs the server while `body` runs.
    let run: Run

    func show(
        _ landscape: Landscape, _ options: DemoClientOptions, progress: @escaping @Sendable (String) -> Void
    ) async -> DemoRow {
        var row = DemoRow(method: row, challenge: "", steps: [], requests: options.simultaneousRequests)
        row.remark = remark
        do {
            try await run { server in
                progress("\(row.method): looking at the challenge")
                let probe = Client(server.earlierObservers(), options, trusting: server.trustRoots)
                do { row.challenge = try await probe.challenge(of: server) } catch { row.problems.append("\(error)") }
                await probe.session.invalidate(cancelling: true)
                server.spoil()

                let client = Client(
                    server.earlierObservers() + [server.observer], options, presenter: server.presenter,
                    userCodePresenter: server.userCodePresenter, trusting: server.trustRoots)
                do { try await show(server, client, options, progress, in: &row) } catch { row.problems.append("\(error)") }
                await client.session.invalidate(cancelling: true)
            }
        } catch {
            row.problems.append("\(error)")
        }
        return row
    }

    private func show(
        _ server: DemoServer, _ client: Client, _ options: DemoClientOptions, _ progress: @escaping @Sendable (String) -> Void,
        in row: inout DemoRow
    ) async throws {
        progress("\(row.method): signing in")
        _ = options.steps.take()
        _ = options.exchanges.take()
        try await client.get(server.url)
        guard server.counts().challenged == (server.isEager ? 0 : 1) else {
            throw DemoError("a single request took \(server.counts().challenged) challenges")
        }
        row.steps = options.steps.take()
        row.exchanges = options.exchanges.take()

        progress("\(row.method): \(options.simultaneousRequests) requests at once, without a valid credential")
        try await server.end(client.session)
        server.spoil()
        let counted = client.authentications.count
        let gate = server.hold(options.simultaneousRequests)
        let start = ContinuousClock.now
        await withTaskGroup(of: (any Error)?.self) { group in
            for _ in 0..<options.simultaneousRequests {
                group.addTask {
                    do {
                        try await client.get(server.url)
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
        (row.challenged, row.sends) = server.counts()
        row.authentications = client.authentications.count - counted
        row.judge()
        if gate.hasTimedOut { row.problems.append("only \(gate.arrived) requests arrived before one was answered") }
    }

    /// A session with the generated observers.
    private struct Client {
        let session: Session
        let authentications = AuthenticationCounter()

        init(
            _ observers: [any SessionObserver], _ options: DemoClientOptions, presenter: (any WebPresenter)? = nil,
            userCodePresenter: (any UserCodePresenter)? = nil, trusting roots: [UInt8]?
        ) {
            var transport = AsyncHTTPClientTransport.Configuration()
            transport.maximumConnectionsPerHost = options.simultaneousRequests
            if let roots { transport.trustRoots = .pem(roots) }
            var configuration = SessionConfiguration()
            configuration.presenter = presenter.map(ExchangeCounter.presenter)
            configuration.userCodePresenter = userCodePresenter
            configuration.sharesAuthentications = options.sharesAuthentications
            configuration.eventObservers = [options.steps, authentications]
            session = Session(
                configuration: configuration,
                transport: options.exchanges.transport(AsyncHTTPClientTransport(configuration: transport)))
            for observer in observers { session.register(observer) }
        }

        /// Returns the server's challenge as it comes over the wire: status and header field.
        func challenge(of server: DemoServer) async throws -> String {
            var request = HTTPRequest(url: server.url)
            request.headerFields = server.announcement
            let response = try await session.send(SessionRequest(request, followsRedirects: false))
            let status = response.head.status.code
            guard let field = server.challengeField else {
                let text = String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self)
                return "\(status) \(text.trimmingCharacters(in: .newlines))"
            }
            response.body.cancel()
            guard let value = response.head.headerFields[field] else { throw DemoError("status \(status) is not a challenge") }
            // Of a scheme, only the explanatory parameters are shown. On the wire, parameters have no spaces and would exceed the
            // column.
            let schemes = AuthenticationChallenge.challenges(in: response.head.headerFields).map(\.description)
            let shown = field == .wwwAuthenticate ? schemes.joined(separator: ", ") : value
            return "\(status) \(field.canonicalName): \(shown)"
        }

        func get(_ url: URL) async throws {
            let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
            guard response.head.status == .ok else { throw DemoError("status \(response.head.status.code)") }
            _ = try await response.body.collect(upTo: 4096)
        }
    }
}

/// Counts the successful authentications of a session.
private final class AuthenticationCounter: SessionEventObserver {
    private let counter = Counter()

    var count: Int { counter.count }

    func observe(_ event: SessionEvent) { if case .authenticated = event.kind { counter.add() } }
}
