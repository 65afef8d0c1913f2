#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

/// Pushes the query of a login page to the page's server, which returns a reference to it (RFC 9126).
final class PagePush: Sendable {
    private let page: LoginPage
    private let push: LoginPage.Push
    private let method: PreparedProgram
    private let session: Session
    private let report: @Sendable (SessionEvent.Kind) -> Void
    private let problem = Mutex<(any Error)?>(nil)

    /// - Returns: `nil` for a page whose query is not pushed.
    init?(
        of page: LoginPage, _ values: [ProgramValue], method: PreparedProgram, session: Session,
        report: @escaping @Sendable (SessionEvent.Kind) -> Void
    ) {
        guard let push = page.push, push.url.text(values) != nil else { return nil }
        self.page = page
        self.push = push
        self.method = method
        self.session = session
        self.report = report
    }

    /// The error of the last push; `nil` if it succeeded.
    var failure: (any Error)? { problem.withLock { $0 } }

    /// Returns the query that replaces the page's own.
    ///
    /// - Parameter values: All values by slot.
    /// - Throws: The errors for presenters: ``CountersignError``, ``TransportError``, `ServerPinError` or `CancellationError`.
    ///   The error for the method is ``failure``.
    func query(_ values: [ProgramValue]) async throws -> FormParameters {
        do {
            var query = FormParameters()
            query["client_id"] = push.client.identifier.text(values)
            query["request_uri"] = try await reference(values)
            problem.withLock { $0 = nil }
            report(.ran(step: "push"))
            return query
        } catch {
            problem.withLock { $0 = error }
            switch error {
            case let refusal as CallRun.Refusal:
                var refused = CountersignError(
                    .refusedByServer, detail: "the server rejected the login's parameters", origin: refusal.origin,
                    status: refusal.status)
                (refused.serverErrorCode, refused.serverMessage) = (refusal.code, refusal.message)
                refused.retryAfter = refusal.retryAfter
                throw refused
            case let failure as StepFailure: throw failure.error
            default: throw error
            }
        }
    }

    private func reference(_ values: [ProgramValue]) async throws -> String? {
        let proof = page.parameters(nil, values).all.filter { $0.name.hasPrefix("code_challenge") }
        guard let call = page.pushCall(adding: proof.map { .init(.text($0.name), .text($0.value)) }) else { return nil }
        var run = CallRun(
            call: call, method: method, session: session, values: values, cookies: nil,
            secrets: Set(zip(method.program.slots, values).compactMap { $0.isSecret ? $1.text : nil }))
        do {
            return try await run.said()[LoginPage.referenceSlot]?.text
        } catch let refusal as CallRun.Refusal {
            // The refusal names the request without the proof, which differs between logins, so that a repetition is recognised.
            throw CallRun.Refusal(
                call: page.pushCall(), origin: refusal.origin, status: refusal.status, code: refusal.code, message: refusal.message,
                clocks: refusal.clocks, retryAfter: refusal.retryAfter)
        }
    }
}

extension LoginPage {
    /// The slot of the reference, the only captured value. It is not one of the method's slots.
    fileprivate static var referenceSlot: Int { 0 }

    /// Returns the request that pushes the query; `nil` if nothing is pushed.
    ///
    /// - Parameter members: The members that are sent in addition to the query.
    func pushCall(adding members: [HTTPCall.Member] = []) -> HTTPCall? {
        push.map { push in
            HTTPCall(
                "POST", push.url, headers: ["Accept": "application/json"],
                body: .form(NamedList(query + members + [HTTPCall.Member("client_id", push.client.identifier)])),
                proof: push.proof, client: push.client,
                answers: [
                    .init(statuses: [200, 400, 401, 403], json: ["/error": .present], isRefusal: true),
                    // The status is 201 (section 2.2), but some servers send 200.
                    .init(
                        statuses: [200, 201], captures: [.slot(Self.referenceSlot, from: .json(["/request_uri"]), as: .text)]),
                ])
        }
    }
}
