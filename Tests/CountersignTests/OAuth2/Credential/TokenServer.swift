import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A token endpoint and the resource that its tokens are for. One access token is valid at a time, and each refresh token once.
final class TokenServer: TokenSource {
    /// The behavior of the token endpoint at a request for a token, before it answers.
    typealias Conduct = @Sendable (_ number: Int) async throws -> Void

    private struct State {
        var valid = 0
        var obtained = 0
        var renewed = 0
        var used: [String] = []
        var conduct: Conduct = { _ in }
        var allowsFormer = false
    }

    /// The errors of the method.
    enum Failure: AuthenticationError, Equatable {
        case token(OAuth2FailureClass)
        case rejected
        case cancelled

        static let authenticationMethod = "OAuth2"
        var code: String {
            switch self {
            case .token(let failure): "token \(failure)"
            case .rejected: "rejected"
            case .cancelled: "cancelled"
            }
        }
    }

    let authenticationMethod = "OAuth2"
    let isInteractive: Bool
    let isRenewing = true
    let lifetime: Duration?
    private let state = Mutex(State())

    init(isInteractive: Bool = true, lifetime: Duration? = .seconds(3_600)) {
        self.isInteractive = isInteractive
        self.lifetime = lifetime
    }

    /// The number of tokens that were obtained without a refresh token.
    var obtained: Int { state.withLock(\.obtained) }
    /// The number of renewal requests, including failed ones.
    var renewed: Int { state.withLock(\.renewed) }
    /// The refresh tokens of the renewals.
    var used: [String] { state.withLock(\.used) }

    /// Sets the behavior of the token endpoint.
    func conduct(_ conduct: @escaping Conduct) { state.withLock { $0.conduct = conduct } }

    /// Makes every access token invalid.
    func expire() { state.withLock { $0.valid += 1 } }

    /// Accepts the previous access token, too.
    func allowFormer() { state.withLock { $0.allowsFormer = true } }

    /// Returns the token that is valid now.
    func token(expiryDate: Date? = nil) -> OAuth2Token {
        let number = state.withLock { $0.valid }
        return OAuth2Token(
            accessToken: "access\(number)", tokenType: "Bearer", expiryDate: expiryDate, refreshToken: "refresh\(number)")
    }

    /// Answers as the resource: with data for the valid token, and with a challenge otherwise.
    func answer(_ sent: ScriptedTransport.Sent) -> Reply {
        let (number, allowsFormer) = state.withLock { ($0.valid, $0.allowsFormer) }
        let former = allowsFormer ? "Bearer access\(number - 1)" : nil
        let isGood = sent["Authorization"] == "Bearer access\(number)" || (former != nil && sent["Authorization"] == former)
        return isGood ? .text("data") : Reply(401, [("WWW-Authenticate", "Bearer")])
    }

    func obtain(in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        let (number, conduct) = state.withLock { state in
            state.obtained += 1
            return (state.obtained, state.conduct)
        }
        try await conduct(number)
        return issue(clock)
    }

    func renew(_ token: OAuth2Token, in session: Session, clock: TokenClock) async throws -> OAuth2IssuedToken {
        let (number, conduct) = state.withLock { state in
            state.renewed += 1
            state.used.append(token.refreshToken ?? "none")
            return (state.renewed, state.conduct)
        }
        try await conduct(number)
        return issue(clock)
    }

    private func issue(_ clock: TokenClock) -> OAuth2IssuedToken {
        expire()
        return OAuth2IssuedToken(token: token(), lifetime: TokenLifetime(lifetime, from: clock.elapsed(), jitter: 0))
    }

    func error(for failure: OAuth2TokenFailure) -> any Error { Failure.token(failure.failureClass) }

    /// The method of the tokens: every response with status code 401 is a challenge.
    static let method = PreparedProgram(
        MethodProgram(
            name: "OAuth2", summary: "Tokens of a server.", slots: [],
            challenges: [ChallengePattern("bearer", statuses: [401])],
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()),
            rejections: [RejectionRule(.renew, error: 1)], failures: [.cancelled: 0]),
        values: []
    ) { number, _, _ in [Failure.cancelled, .rejected][number] }
}

extension OAuth2TokenFailure {
    static func server(_ code: String, status: Int = 400) -> OAuth2TokenFailure {
        OAuth2TokenFailure(.server(OAuth2ServerError(code: code, message: nil, uri: nil, state: nil)), status: status)
    }

    static func status(_ status: Int, retryAfter: Duration? = nil) -> OAuth2TokenFailure {
        OAuth2TokenFailure(.status, status: status, retryAfter: retryAfter)
    }

    static let lost = OAuth2TokenFailure(
        TransportError(.connectionLost, detail: "lost", requestMayHaveBeenProcessed: true))
}

/// A session with an observer, a store, and the servers behind them.
struct TokenBench: Sendable {
    let server: TokenServer
    let store: any OAuth2TokenStore
    let clock = ManualClock()
    let events = EventRecorder()
    let transport: ScriptedTransport
    let observer: ManagedObserver
    let session: Session

    static let origin = "https://api.example"

    init(
        _ server: TokenServer = TokenServer(), store: any OAuth2TokenStore = MemoryTokenStore(), protecting: [String] = [],
        origins: ProtectedOrigins? = nil, flightTimeout: Duration = .seconds(60), script: ScriptedTransport.Script? = nil
    ) throws {
        self.server = server
        self.store = store
        transport = ScriptedTransport(script ?? { server.answer($0) })
        let protected = (protecting + [Self.origin]).compactMap { URL(string: $0).flatMap { Origin($0) } }
        observer = ManagedObserver(
            name: "OAuth2Observer", method: TokenServer.method, source: server, store: store,
            origins: protecting.isEmpty ? origins : ProtectedOrigins(origins: Set(protected)),
            clock: { TokenClock(elapsed: $0.now, date: { Self.date }, jitter: { 0 }) })
        var configuration = SessionConfiguration()
        configuration.clock = clock
        configuration.eventObservers = [events]
        configuration.flightTimeout = flightTimeout
        session = Session(configuration: configuration, transport: transport)
        session.register(observer)
    }

    static let date = Date(timeIntervalSince1970: 1_000_000)

    var url: URL {
        get throws { try #require(URL(string: Self.origin + "/")) }
    }

    /// Stores the valid token, which expires in the given number of seconds.
    func keepToken(endingIn seconds: Double? = nil) throws {
        try store.store(token: server.token(expiryDate: seconds.map { Self.date.addingTimeInterval($0) }), for: url)
    }

    @discardableResult
    func get(_ url: String = origin + "/data", fields: [(String, String)] = []) async throws -> String {
        try await session.send(.to(url, fields: fields)).text()
    }

    /// Begins a request with an expired token, whose renewal waits at the gate even if nobody waits for it any more.
    func beginRenewal(heldBy gate: Gate) async throws -> Task<String, any Error> {
        try keepToken(endingIn: -1)
        server.expire()
        server.conduct { _ in await gate.passDeaf() }
        let request = Task { try await get() }
        while server.renewed == 0 { await Task.yield() }
        return request
    }

    /// Returns the results of the given number of requests at once.
    func getAtOnce(_ count: Int) async -> [Result<String, any Error>] {
        await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<count {
                group.addTask { do { return .success(try await get()) } catch { return .failure(error) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
