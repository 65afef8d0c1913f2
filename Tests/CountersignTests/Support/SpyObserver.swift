import HTTPTypes
import Synchronization

@testable import Countersign

/// An observer whose answers are closures. It records its calls.
final class SpyObserver: SessionObserver {
    let name: String
    private let attaching: @Sendable (inout HTTPRequest, Int) -> Attachment
    private let classifying: @Sendable (HTTPResponse, ExchangeContext) -> Verdict
    private let recovering: @Sendable (ChallengeOccurrence, ExchangeContext) async throws -> Void
    private let redirecting: @Sendable (inout HTTPRequest) throws -> Void
    private let needsBody: Bool
    private let log = Mutex<[String]>([])

    init(
        name: String = "SpyObserver", needsBody: Bool = false,
        attach: @escaping @Sendable (inout HTTPRequest, Int) -> Attachment = { _, _ in .nothing },
        classify: @escaping @Sendable (HTTPResponse, ExchangeContext) -> Verdict = { _, _ in .pass },
        recover: @escaping @Sendable (ChallengeOccurrence, ExchangeContext) async throws -> Void = { _, _ in },
        redirect: @escaping @Sendable (inout HTTPRequest) throws -> Void = { _ in }
    ) {
        self.name = name
        self.needsBody = needsBody
        attaching = attach
        classifying = classify
        recovering = recover
        redirecting = redirect
    }

    /// The calls, in order.
    var calls: [String] { log.withLock { $0 } }
    func count(_ call: String) -> Int { calls.count { $0 == call } }
    private func note(_ call: String) { log.withLock { $0.append(call) } }

    func attach(to request: inout HTTPRequest, in exchange: ExchangeContext) -> Attachment {
        note("attach")
        return attaching(&request, count("attach"))
    }
    func prepare(_ request: inout HTTPRequest, in exchange: ExchangeContext) async throws -> Attachment {
        note("prepare")
        return attach(to: &request, in: exchange)
    }
    func classify(_ response: HTTPResponse, in exchange: ExchangeContext) async -> Verdict {
        note("classify")
        return classifying(response, exchange)
    }
    func needsBody(of response: HTTPResponse, in exchange: ExchangeContext) -> Bool { needsBody }
    func recover(_ challenge: ChallengeOccurrence, in exchange: ExchangeContext) async throws {
        note("recover")
        try await recovering(challenge, exchange)
    }
    func redirect(_ response: HTTPResponse, to request: inout HTTPRequest, in exchange: ExchangeContext) async throws {
        note("redirect")
        try redirecting(&request)
    }
    func didRegister(on session: Session) { note("didRegister") }
    func didEndSession(_ session: Session) { note("didEndSession") }
}
