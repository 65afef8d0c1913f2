import Countersign
import CountersignAsyncHTTPClient
import CountersignFileStore
import Foundation
import HTTPTypes

extension Contender {
    /// Sends requests with the token in the store. `argument`: the URL of the server.
    ///
    /// Each line of standard input is a number of requests to send at once. The output has a line for each outcome, such as `50
    /// answered`, and then `done`. Lines about other events come before.
    func useTokens(hangingAt place: RefreshingSource.Place? = nil) async throws {
        guard let server = URL(string: argument) else { exit(64) }
        var configuration = SessionConfiguration()
        configuration.eventObservers = [TokenEvents()]
        // A test authenticates more often than any application does.
        configuration.maximumAuthentications = 1_000
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
        session.register(
            ManagedObserver(
                name: "Contender", source: RefreshingSource(server: server, hangsAt: place), store: CredentialTokenStore(store),
                challenges: [ChallengePattern("bearer", statuses: [401])]))
        Self.say("ready")
        while let line = readLine(), let count = Int(line) {
            let outcomes = await withTaskGroup(of: String.self) { group in
                for _ in 0..<count { group.addTask { await Self.outcome(of: server, in: session) } }
                return await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
            }
            for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) { Self.say("\(count) \(outcome)") }
            Self.say("done")
        }
        await session.invalidate(cancelling: true)
    }

    private static func outcome(of server: URL, in session: Session) async -> String {
        do {
            let request = HTTPRequest(method: .get, url: server.appending(path: "resource"))
            let response = try await session.send(SessionRequest(request))
            _ = try await response.body.collect(upTo: 1 << 20)
            return response.head.status == .ok ? "answered" : "status \(response.head.status.code)"
        } catch let error as RefreshingSource.Failure {
            return error.rawValue
        } catch let error as CredentialStoreError {
            return error.code.rawValue
        } catch {
            return "failed: \(error)"
        }
    }
}

/// Prints events of credentials.
struct TokenEvents: SessionEventObserver {
    func observe(_ event: SessionEvent) {
        switch event.kind {
        case .expired: Contender.say("expired")
        case .notStored: Contender.say("not stored")
        default: break
        }
    }
}

/// Renews tokens as `MockOAuth2Client.app`, without a user for a login.
final class RefreshingSource: TokenSource {
    /// The point at which the process reports and then hangs, so that a test can kill it there.
    enum Place: String { case renewing, storing }

    enum Failure: String, Error { case login, terminal, transient, configuration, ambiguous }

    let authenticationMethod = "OAuth2"
    let isInteractive = true
    let isRenewing = true
    private let endpoint: URL
    private let place: Place?

    init(server: URL, hangsAt place: Place?) {
        endpoint = server.appending(path: "oauth2/api/v1/token")
        self.place = place
    }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken { throw Failure.login }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        try await hang(at: .renewing)
        var request = HTTPRequest(method: .post, url: endpoint)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        var form = FormParameters(["grant_type": "refresh_token", "refresh_token": token.refreshToken ?? ""])
        try OAuth2Client(identifier: "app", authentication: .none).authenticate(&request.headerFields, &form)
        do {
            let response = try await session.send(SessionRequest(request, body: .text(form.serialized)))
            let arrival = clock.moment
            let body = try await response.body.collect(upTo: OAuth2TokenResponseReader.maximumBodySize)
            let issued = try OAuth2TokenResponseReader(renewing: token).read(
                status: response.head.status.code, fields: response.head.headerFields, body: body, arrival: arrival,
                jitter: clock.jitter())
            try await hang(at: .storing)
            return issued
        } catch let error as TransportError {
            throw OAuth2TokenFailure(error)
        }
    }

    private func hang(at place: Place) async throws {
        guard place == self.place else { return }
        Contender.say("before \(place)")
        try await Task.sleep(for: .seconds(3_600))
    }

    func error(for failure: OAuth2TokenFailure) -> any Error {
        switch failure.failureClass {
        case .terminal: Failure.terminal
        case .transient: Failure.transient
        case .configuration: Failure.configuration
        case .ambiguous: Failure.ambiguous
        }
    }
}
