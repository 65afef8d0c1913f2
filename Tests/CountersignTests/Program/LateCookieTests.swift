import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Countersign

/// A login with a password, after which a ticket leads to the cookie that requests need.
private struct TicketLogin: ProgramParameters {
    static let program = MethodProgram(
        name: "Ticket", summary: "A password and a ticket.",
        slots: [.parameter("page"), .parameter("password", isSecret: true), .credential("cookies", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(destinations: [0], cookies: 2),
        acquire: [
            .http(
                HTTPCall(
                    "GET", ProgramTemplate(.slot(0)), answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [200]))])),
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.slot(0)),
                    body: .form([HTTPCall.Member("password", ProgramTemplate(.slot(1)))]),
                    answers: [
                        HTTPCall.Answer(ChallengePattern("answer 1", statuses: [403]), isRefusal: true),
                        HTTPCall.Answer(ChallengePattern("answer 2", statuses: [200])),
                    ])),
            .http(
                HTTPCall(
                    "GET", ProgramTemplate(.text("https://app.example/ticket")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("answer 1", cookies: .named([ChallengePattern.Named("SID", .present)])))
                    ])),
        ],
        rejections: [RejectionRule(.acquire)],
        end: [
            .http(
                HTTPCall(
                    "GET", ProgramTemplate(.text("https://app.example/logout")),
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [200]))]))
        ])

    var slotValues: [ProgramValue] {
        [URL(string: "https://app.example/login").map { .url($0) } ?? .absent, .secret("wonderland")]
    }
}

/// A login whose only request sets the cookie.
private struct OneRequestLogin: ProgramParameters {
    static let program = TicketLogin.program.with(
        grant: "one", slots: TicketLogin.program.slots, credential: TicketLogin.program.credential,
        acquire: TicketLogin.program.acquire.filter { $0.call?.method == "POST" }, end: TicketLogin.program.end)

    var slotValues: [ProgramValue] { TicketLogin().slotValues }
}

/// Logins that set cookies and do not end, or end after a logout.
@Suite("Late logins with cookies", .timeLimit(.minutes(10)))
struct LateCookieTests {
    /// A server whose accepted logins wait at the gate.
    private final class Server: Sendable {
        let gate = Turnstile()
        private let loginStatus: Int
        private let ticketStatus: Int
        private let logoutStatus: Int

        init(login: Int = 200, ticket: Int = 200, logout: Int = 200) {
            loginStatus = login
            ticketStatus = ticket
            logoutStatus = logout
        }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            switch sent.path {
            case "/login" where sent.method == .get: return Reply(200, [("Set-Cookie", "visitor=7; Path=/")])
            case "/login":
                try await gate.pass()
                return Reply(loginStatus, loginStatus == 200 ? [("Set-Cookie", "TGC=1; Path=/")] : [])
            case "/ticket": return Reply(ticketStatus, ticketStatus == 200 ? [("Set-Cookie", "SID=1; Path=/")] : [])
            case "/logout": return Reply(logoutStatus)
            default: return sent["Cookie"]?.contains("SID=1") == true ? .text("data") : Reply(401)
            }
        }
    }

    private func bench(_ server: Server) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: TicketLogin(), prompter: nil)) { try await server.answer($0) }
    }

    /// Returns the cookies of the requests that end a session at the server.
    private func ended(_ bench: ProgramBench) -> [String?] {
        bench.transport.sent.filter { $0.path == "/logout" }.map { $0["Cookie"] }
    }

    @Test func `a logout ends the session of a login once`() async throws {
        let server = Server()
        server.gate.open()
        let bench = bench(server)
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        #expect(ended(bench) == ["visitor=7; TGC=1; SID=1"])
    }

    @Test func `the next logout ends the session of a login that has failed after the password was accepted`() async throws {
        let server = Server(ticket: 500)
        server.gate.open()
        let bench = bench(server)
        await #expect(throws: CountersignError.self) { try await bench.get() }
        #expect(ended(bench).isEmpty)
        try await bench.session.logOut()
        #expect(ended(bench) == ["visitor=7; TGC=1"])
        try await bench.session.logOut()
        #expect(ended(bench).count == 1)
    }

    @Test(arguments: [500, 200])
    func `a server that refuses to end half a login is no error, and one that refuses to end a session is`(ticket: Int) async throws
    {
        let server = Server(ticket: ticket, logout: 403)
        server.gate.open()
        let bench = bench(server)
        if ticket == 200 {
            #expect(try await bench.get() == 200)
            await expectError(.unexpectedAnswer) { try await bench.session.logOut() }
        } else {
            await #expect(throws: CountersignError.self) { try await bench.get() }
            try await bench.session.logOut()
        }
        #expect(ended(bench).count == 1)
    }

    @Test func `a logout after a refused login sends nothing, although the page has set a cookie`() async throws {
        let server = Server(login: 403)
        server.gate.open()
        let bench = bench(server)
        await expectError(.refusedByServer) { _ = try await bench.get() }
        try await bench.session.logOut()
        #expect(ended(bench).isEmpty)
    }

    @Test func `a logout ends the session of a login whose password is accepted after it`() async throws {
        let server = Server()
        defer { server.gate.open() }
        let bench = bench(server)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        server.gate.open()
        try await logout.value
        #expect(ended(bench) == ["visitor=7; TGC=1"])
        #expect(!bench.transport.sent.contains { $0.path == "/ticket" })
        #expect(bench.session.cookies.all.isEmpty)
    }

    @Test func `a logout ends the session of a login whose only response arrives after it`() async throws {
        let server = Server()
        defer { server.gate.open() }
        let bench = ProgramBench(ProgramObserver(parameters: OneRequestLogin(), prompter: nil)) { try await server.answer($0) }
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        server.gate.open()
        try await logout.value
        #expect(ended(bench) == ["TGC=1"])
        #expect(bench.session.cookies.all.isEmpty)
    }
}
