import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// A server in memory that accepts any credential. It challenges requests without one, and another request after each call of
/// ``refuseNext()``.
final class MemoryTransport: HTTPTransport {
    /// Returns the response to a request before credentials are checked; `nil` to check them.
    typealias Answer = @Sendable (HTTPRequest) -> (head: HTTPResponse, body: [UInt8])?

    private let refuses = Atomic(false)
    /// Returns the `WWW-Authenticate` field for a request without a credential; `nil` if no credential is needed.
    private let challenge: (@Sendable (HTTPRequest) -> String)?
    private let answer: Answer

    /// - Parameters:
    ///   - challenge: The `WWW-Authenticate` field for a request; `nil` if no credential is needed.
    ///   - answer: The responses of other endpoints; `nil` for an empty one.
    init(challenge: (@Sendable (HTTPRequest) -> String)? = nil, answer: @escaping Answer = { _ in nil }) {
        self.challenge = challenge
        self.answer = answer
    }

    /// Refuses the credential of the next request.
    func refuseNext() { refuses.store(true, ordering: .relaxed) }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        guard let url = request.head.url else { throw PerformanceError("the request has no valid URL") }
        if let (head, body) = answer(request.head) { return SessionResponse(head: head, url: url, body: ResponseBody(bytes: body)) }
        if let challenge {
            let isRefused = refuses.exchange(false, ordering: .relaxed)
            if isRefused || request.head.headerFields[.authorization] == nil {
                var head = HTTPResponse(status: .unauthorized)
                head.headerFields[.wwwAuthenticate] = challenge(request.head)
                return SessionResponse(head: head, url: url, body: ResponseBody())
            }
        }
        return SessionResponse(head: HTTPResponse(status: .ok), url: url, body: ResponseBody())
    }

    func shutdown() async throws {}
}

extension Session {
    /// Makes a session without a limit on the number of authentications.
    static func measured(_ transport: MemoryTransport, cookies: CookieJar = CookieJar()) -> Session {
        var configuration = SessionConfiguration()
        configuration.maximumAuthentications = 1_000_000_000
        configuration.authenticationWindow = .zero
        configuration.refusedLoginInterval = .zero
        // Without an observer, the session would log its events.
        configuration.eventObservers = [NoEvents()]
        return Session(configuration: configuration, transport: transport, cookies: cookies)
    }

    /// Sends a GET request that must succeed.
    func get(_ path: String, at authority: String) async throws {
        let response = try await send(
            SessionRequest(HTTPRequest(method: .get, scheme: "https", authority: authority, path: path)))
        guard response.head.status == .ok else { throw PerformanceError("status \(response.head.status)") }
    }
}

/// Discards events.
private struct NoEvents: SessionEventObserver {
    func observe(_ event: SessionEvent) {}
}

/// A counter that starts at 0.
final class Counter: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }

    /// Returns the next number modulo the count.
    func next(of count: Int) -> Int { next() % count }
}
