import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A token whose renewal has a second step, after the refresh token was replaced.
private struct CheckedParameters: ProgramParameters {
    static let program = MethodProgram(
        name: "Checked", summary: "A token that is checked after its renewal.",
        slots: [
            .parameter("server"), .credential("token", isSecret: true), .credential("refresh", isSecret: true),
            .credential("lifetime"),
        ],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [1, 2, 3].map { .slot($0) }, space: .servers, lifetime: 3, destinations: [0]),
        acquire: [.http(call("login", sending: nil))],
        renewal: CredentialRenewal(needs: [2], [.http(call("refresh", sending: 2)), .http(check)]),
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.renew, .acquire)])

    private static func call(_ name: String, sending slot: Int?) -> HTTPCall {
        HTTPCall(
            "POST", ProgramTemplate(.text("https://login.example/\(name)")),
            body: .form(slot.map { [HTTPCall.Member(ProgramTemplate(.text("value")), ProgramTemplate(.slot($0)))] } ?? []),
            answers: [
                HTTPCall.Answer(
                    ChallengePattern(
                        "answer 1", statuses: [200],
                        captures: [
                            .slot(1, from: .json(["/token"])), .slot(2, from: .json(["/refresh"])),
                            .slot(3, from: .json(["/lifetime"]), as: .seconds),
                        ])),
                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [400]), isRefusal: true),
            ])
    }

    private static var check: HTTPCall {
        HTTPCall(
            "GET", ProgramTemplate(.text("https://login.example/keys")),
            answers: [
                HTTPCall.Answer(ChallengePattern("answer 1", statuses: [200])),
                HTTPCall.Answer(ChallengePattern("answer 2", statuses: [403]), isRefusal: true),
            ])
    }

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map(ProgramValue.url) ?? .absent] }
}

/// The same method, whose server revokes refresh tokens.
private struct RevocableParameters: ProgramParameters {
    static let program = CheckedParameters.program.with(
        grant: "revocable", slots: CheckedParameters.program.slots, credential: CheckedParameters.program.credential,
        acquire: CheckedParameters.program.acquire, renewal: CheckedParameters.program.renewal,
        end: [
            .http(
                HTTPCall(
                    "DELETE", ProgramTemplate(.text("https://login.example/token")),
                    headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(2)))],
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))
        ])

    var slotValues: [ProgramValue] { CheckedParameters().slotValues }
}

/// A server that ends the session if a used refresh token is sent again (RFC 9700, section 4.14).
private final class RotatingServer: Sendable {
    struct State {
        var made = 0
        var reuses = 0
        var logins = 0
        /// The failure of the step after the renewal; `nil` for none.
        var failure: (@Sendable () throws -> Reply)?
        /// The number of the latest token that the server has revoked.
        var revoked = 0
    }

    let state = Mutex(State())
    /// The gate at which renewals wait; `nil` if they do not wait.
    let gate = Mutex<Turnstile?>(nil)

    func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
        if sent.path == "/refresh" { try await gate.withLock(\.self)?.pass() }
        let form = String(decoding: try await sent.body(), as: UTF8.self)
        return try state.withLock { state in
            switch sent.path {
            case "/login":
                state.logins += 1
                return Self.issue(&state)
            case "/refresh" where form == "value=r\(state.made)": return Self.issue(&state)
            case "/refresh":
                state.reuses += 1
                return Reply(400)
            case "/keys": return try state.failure?() ?? .text("keys")
            case "/token": return Reply(204)
            default:
                let isValid = state.made > state.revoked && sent["Authorization"] == "Token t\(state.made)"
                return isValid ? .text("data") : Reply(401)
            }
        }
    }

    /// The uses of used refresh tokens, and the logins.
    var counts: [Int] { state.withLock { [$0.reuses, $0.logins] } }

    private static func issue(_ state: inout State) -> Reply {
        state.made += 1
        return .text(#"{"token":"t\#(state.made)","refresh":"r\#(state.made)","lifetime":3600}"#)
    }
}

/// Renewals that fail after the server has replaced the refresh token.
@Suite("Interrupted renewals", .timeLimit(.minutes(10))) struct InterruptedRenewalTests {
    private static let failures: [@Sendable () throws -> Reply] = [
        { Reply(503) },
        { throw TransportError(.connectionLost, detail: "lost", requestMayHaveBeenProcessed: true) },
        { throw TransportError(.connect, detail: "refused", requestMayHaveBeenProcessed: false) },
    ]

    private func process(_ server: RotatingServer, _ store: any CredentialStore) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: CheckedParameters(), prompter: nil, store: store)) { try await server.answer($0) }
    }

    @Test(arguments: failures.indices, [false, true])
    func `a used refresh token is never sent again, by this process or the next`(index: Int, restarts: Bool) async throws {
        let (server, store) = (RotatingServer(), MemoryCredentialStore.patient())
        let bench = process(server, store)
        #expect(try await bench.get() == 200)
        server.state.withLock { $0.failure = Self.failures[index] }
        bench.clock.advance(by: .seconds(4000))
        await #expect(throws: (any Error).self) { try await bench.get() }
        server.state.withLock { $0.failure = nil }
        bench.clock.advance(by: .seconds(60))
        let next = restarts ? process(server, store) : bench
        #expect(try await next.get() == 200)
        #expect(server.counts == [0, 1])
    }

    @Test(arguments: [false, true])
    func `a renewal that is refused after the refresh token was replaced leads to one login`(isStored: Bool) async throws {
        let server = RotatingServer()
        let observer = ProgramObserver(
            parameters: CheckedParameters(), prompter: nil, store: isStored ? MemoryCredentialStore.patient() : nil)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        #expect(try await bench.get() == 200)
        server.state.withLock { state in
            state.revoked = 1
            state.failure = { Reply(403) }
        }
        #expect(try await bench.get() == 200)
        #expect(server.counts == [0, 2])
        #expect(bench.transport.sent.count { $0.path == "/refresh" } == 1)
    }

    @Test(arguments: [false, true])
    func `a logout revokes the new refresh token of a renewal that was refused after that`(isStored: Bool) async throws {
        let server = RotatingServer()
        let observer = ProgramObserver(
            parameters: RevocableParameters(), prompter: nil, store: isStored ? MemoryCredentialStore.patient() : nil)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        #expect(try await bench.get() == 200)
        server.state.withLock { state in
            state.revoked = 1
            state.failure = { Reply(403) }
        }
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        let revoked = bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
        #expect(revoked.sorted() == ["r2", "r3"])
    }

    @Test(arguments: [false, true])
    func `a logout during a renewal that it interrupts revokes the new refresh token, and not the used one`(
        isStored: Bool
    ) async throws {
        let (server, gate) = (RotatingServer(), Turnstile())
        defer { gate.open() }
        let observer = ProgramObserver(
            parameters: RevocableParameters(), prompter: nil, store: isStored ? MemoryCredentialStore.patient() : nil)
        let bench = ProgramBench(observer) { try await server.answer($0) }
        #expect(try await bench.get() == 200)
        server.gate.withLock { $0 = gate }
        bench.clock.advance(by: .seconds(4000))
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        gate.open()
        try await logout.value
        #expect(bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] } == ["r2"])
        #expect(!bench.transport.sent.contains { $0.path == "/keys" })
    }
}
