import Foundation
import HTTPTypes
import Synchronization
import Testing

@_spi(Generated) @testable import Countersign

/// The revocation of a token, as an end of a method.
private let revocation = ProgramStep.http(
    HTTPCall(
        "DELETE", ProgramTemplate(.text("https://login.example/token")),
        headers: [HTTPCall.Member("X-Token", ProgramTemplate(.slot(1)))],
        answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [204]))]))

/// A method whose server issues a token.
private struct IssuedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Issued", summary: "A token of a login.",
        slots: [.parameter("server"), .credential("token", isSecret: true)],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1)], space: .servers, destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200], captures: [.slot(1, from: .json(["/token"]))]))
                    ]))
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.acquire)], end: [revocation])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// The same method, whose login does not end with the token.
private struct CheckedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Checked", summary: "A token of a login, which is used for a check.",
        slots: IssuedToken.program.slots, challenges: IssuedToken.program.challenges, credential: IssuedToken.program.credential,
        acquire: IssuedToken.program.acquire + [
            ProgramStep.http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/check")),
                    answers: [HTTPCall.Answer(ChallengePattern("answer 1", statuses: [200]))]))
        ],
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method that computes its token from an answer of the user.
private struct ComputedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Computed", summary: "A token of an answer.",
        slots: [.parameter("server"), .credential("token", isSecret: true), .step("answer")],
        challenges: [ChallengePattern("unauthorized", statuses: [401])],
        credential: CredentialShape(fields: [.slot(1)], destinations: [0]),
        acquire: [
            .prompt(0, slots: [2]),
            .compute(slot: 1, .join([ProgramTemplate(.text("t")), ProgramTemplate(.slot(2))])),
        ],
        attach: [.header("Authorization", ProgramTemplate(.text("Token "), .slot(1)))],
        rejections: [RejectionRule(.acquire, retries: 1)], end: [revocation])

    var slotValues: [ProgramValue] { [URL(string: ProgramBench.origin).map { .url($0) } ?? .absent] }
}

/// A method whose token comes from the application, and is checked by a server.
private struct AskedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Asked", summary: "A token of the application, which a server checks.",
        slots: IssuedToken.program.slots, challenges: IssuedToken.program.challenges, credential: IssuedToken.program.credential,
        acquire: [ProgramStep.prompt(0, slots: [1])] + CheckedToken.program.acquire.suffix(1),
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method that makes its token itself, from a parameter, and has it checked by a server.
private struct OwnToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Own", summary: "A token of the client, which a server checks.",
        slots: IssuedToken.program.slots + [.parameter("key", isSecret: true)], challenges: IssuedToken.program.challenges,
        credential: IssuedToken.program.credential,
        acquire: [ProgramStep.compute(slot: 1, .join([ProgramTemplate(.text("t")), ProgramTemplate(.slot(2))]))]
            + CheckedToken.program.acquire.suffix(1),
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues + [.absent, .secret("key")] }
}

/// A method that puts a server's code into its token before a server checks it.
private struct JoinedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Joined", summary: "A token with the code of a login.",
        slots: IssuedToken.program.slots + [.step("code", isSecret: true)], challenges: IssuedToken.program.challenges,
        credential: IssuedToken.program.credential,
        acquire: [
            ProgramStep.http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern("answer 1", statuses: [200], captures: [.slot(2, from: .json(["/token"]))]))
                    ])),
            ProgramStep.compute(slot: 1, .join([ProgramTemplate(.text("j")), ProgramTemplate(.slot(2))])),
        ] + CheckedToken.program.acquire.suffix(1),
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method whose token is a part of a server's code.
private struct PartOfCode: ProgramParameters {
    static let program = JoinedToken.program.with(
        grant: "part", slots: JoinedToken.program.slots, credential: JoinedToken.program.credential,
        acquire: [
            JoinedToken.program.acquire[0], .compute(slot: 1, .part(TextPart(of: .slot(2), after: .text("t")))),
            JoinedToken.program.acquire[2],
        ],
        end: JoinedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method that derives its token from a password of its own and a server's salt.
private struct DerivedToken: ProgramParameters {
    static let program = JoinedToken.program.with(
        grant: "derived", slots: JoinedToken.program.slots, credential: JoinedToken.program.credential,
        acquire: [
            JoinedToken.program.acquire[0],
            .compute(slot: 1, .derive(KeyDerivation(.sha256, of: .text("key"), salt: .slot(2), iterations: .text("1")))),
            JoinedToken.program.acquire[2],
        ],
        end: JoinedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method whose server issues a token with a lifetime.
private struct ShortToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Short", summary: "A token of a login, for a minute.",
        slots: IssuedToken.program.slots + [.credential("lifetime")], challenges: IssuedToken.program.challenges,
        credential: CredentialShape(fields: [1, 2].map { .slot($0) }, space: .servers, lifetime: 2, destinations: [0]),
        acquire: [
            .http(
                HTTPCall(
                    "POST", ProgramTemplate(.text("https://login.example/login")),
                    answers: [
                        HTTPCall.Answer(
                            ChallengePattern(
                                "answer 1", statuses: [200],
                                captures: [
                                    .slot(1, from: .json(["/token"])), .slot(2, from: .json(["/lifetime"]), as: .seconds),
                                ]))
                    ]))
        ],
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method whose server issues a token while a page is shown.
private struct PolledToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Polled", summary: "A token of a login on a page.",
        slots: IssuedToken.program.slots, challenges: IssuedToken.program.challenges, credential: IssuedToken.program.credential,
        acquire: [
            .present(LoginPage(ProgramTemplate(.text("https://login.example/page")), code: LoginPage.Code(nil))),
            .repeat(StepRepetition(while: [.absent(1)], limit: 9, IssuedToken.program.acquire)),
        ],
        attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections, end: IssuedToken.program.end)

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// A method with a page after a logout.
private struct PagedToken: ProgramParameters {
    static let program = MethodProgram(
        name: "Paged", summary: "A token with a logout page.",
        slots: IssuedToken.program.slots, challenges: IssuedToken.program.challenges, credential: IssuedToken.program.credential,
        acquire: IssuedToken.program.acquire, attach: IssuedToken.program.attach, rejections: IssuedToken.program.rejections,
        end: [
            .present(
                LoginPage(
                    ProgramTemplate(.text("https://login.example/logout")),
                    endsAt: ProgramTemplate(.text("https://login.example/done")), match: .path))
        ])

    var slotValues: [ProgramValue] { IssuedToken().slotValues }
}

/// Logins that end after a logout, or after a later login.
@Suite("Late logins", .timeLimit(.minutes(10)))
struct LateLoginTests {
    /// A server whose logins wait at the gate.
    private final class Server: Sendable {
        let gate = Turnstile()
        let refused = Mutex<Set<String>>([])
        private let tokens = Mutex(0)
        private let revocationStatus: Int

        init(revocationStatus: Int = 204) { self.revocationStatus = revocationStatus }

        func answer(_ sent: ScriptedTransport.Sent) async throws -> Reply {
            switch sent.path {
            case "/login":
                try await gate.pass()
                let number = tokens.withLock { tokens in
                    tokens += 1
                    return tokens
                }
                return .text(#"{"token":"t\#(number)","lifetime":60}"#)
            case "/check": return Reply(403)
            case "/token": return Reply(revocationStatus)
            default:
                guard let field = sent["Authorization"], !refused.withLock({ $0.contains(field) }) else { return Reply(401) }
                return .text("data")
            }
        }
    }

    /// An application that answers each prompt by its number. Its first prompts ignore cancellation, and wait for the test.
    private final class Application: ProgramPrompting {
        private let asked = Mutex(0)
        private let gates: [Gate]

        init(waitingAt gates: [Gate]) { self.gates = gates }

        var count: Int { asked.withLock { $0 } }

        func answer(prompt index: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number <= gates.count { await gates[number - 1].passDeaf() }
            return [.text("\(number)")]
        }
    }

    /// A store of the application's own kind, without locks.
    private final class PlaceStore: PlaceCredentialStore {
        private let kept = Mutex<[CredentialPlace: [ProgramValue]]>([:])

        var values: [[ProgramValue]] { kept.withLock { Array($0.values) } }

        func load(for place: CredentialPlace) async throws -> [ProgramValue]? { kept.withLock { $0[place] } }
        func store(_ values: [ProgramValue], for place: CredentialPlace) async throws { kept.withLock { $0[place] = values } }
        func delete(for place: CredentialPlace) async throws { kept.withLock { $0[place] = nil } }
    }

    /// A presenter of codes that is a closure.
    private struct Screen: UserCodePresenter {
        let show: @Sendable () async throws -> Void

        func present(_ presentation: UserCodePresentation) async throws { try await show() }
    }

    private struct Rejected: Error {}

    private func bench(_ server: Server, review: AuthenticationReview? = nil) -> ProgramBench {
        ProgramBench(ProgramObserver(parameters: IssuedToken(), prompter: nil, places: nil, review: review)) {
            try await server.answer($0)
        }
    }

    private func revoked(_ bench: ProgramBench) -> [String] {
        bench.transport.sent.filter { $0.method == .delete }.compactMap { $0["X-Token"] }
    }

    /// Returns the credential that the last request for data carried.
    private func carried(_ bench: ProgramBench) -> String? {
        bench.transport.sent.last { $0.path == "/data" }?["Authorization"]
    }

    // MARK: Logout

    @Test func `a token that a server issues to a login after the logout is revoked`() async throws {
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
        #expect(revoked(bench) == ["t1"])
        #expect(try await bench.get() == 200)
        #expect(carried(bench) == "Token t2")
    }

    @Test func `a logout fails if the server does not revoke such a token`() async throws {
        let server = Server(revocationStatus: 500)
        defer { server.gate.open() }
        let bench = bench(server)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        server.gate.open()
        await #expect(throws: CountersignError.self) { try await logout.value }
        await expectError(.sessionEnded) { _ = try await request.value }
    }

    @Test func `a logout waits for a login no longer than for a request, and the token is revoked when it arrives`() async throws {
        let server = Server()
        defer { server.gate.open() }
        let bench = bench(server)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        try await ending(of: logout, on: bench.clock).get()
        await expectError(.sessionEnded) { _ = try await request.value }
        #expect(revoked(bench).isEmpty)
        server.gate.open()
        #expect(await comesTrue { revoked(bench) == ["t1"] })
    }

    @Test func `a logout does not wait for the user, and the token is revoked when it arrives`() async throws {
        let (server, gate) = (Server(), Gate())
        defer { gate.open() }
        let application = Application(waitingAt: [gate])
        let bench = ProgramBench(ProgramObserver(parameters: ComputedToken(), prompter: application, store: nil)) {
            try await server.answer($0)
        }
        let request = Task { try await bench.get() }
        #expect(await comesTrue { application.count == 1 })
        // No time passes on the session's clock.
        try await ending(of: Task { try await bench.session.logOut() }).get()
        await expectError(.sessionEnded) { _ = try await request.value }
        #expect(revoked(bench).isEmpty)
        gate.open()
        #expect(await comesTrue { revoked(bench) == ["t1"] })
    }

    @Test(arguments: [false, true])
    func `a token that arrives while a page is polled is revoked, even if the page's presenter ignores the logout`(
        _ isDeaf: Bool
    ) async throws {
        let (server, shown, gate) = (Server(), Gate(), Gate())
        defer {
            server.gate.open()
            gate.open()
        }
        let bench = ProgramBench(ProgramObserver(parameters: PolledToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        } configuring: {
            $0.userCodePresenter = Screen {
                shown.open()
                if isDeaf { await gate.passDeaf() } else { try await Task.sleep(for: .seconds(3_600)) }
            }
        }
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        await shown.pass()
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        await expectError(.sessionEnded) { _ = try await request.value }
        server.gate.open()
        // No time passes on the session's clock.
        try await ending(of: logout).get()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a logout page whose presenter ignores the time limit does not hold up the logout`() async throws {
        let (server, gate) = (Server(), Gate())
        defer { gate.open() }
        server.gate.open()
        let presenter = ScriptedPresenter { _ in
            await gate.passDeaf()
            throw CancellationError()
        }
        let bench = ProgramBench(ProgramObserver(parameters: PagedToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        } configuring: {
            $0.presenter = presenter
        }
        #expect(try await bench.get() == 200)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { presenter.presentations.count == 1 })
        try await ending(of: logout, on: bench.clock).get()
    }

    @Test func `a logout that a review begins revokes the reviewed token`() async throws {
        let server = Server()
        server.gate.open()
        let bench = bench(
            server, review: AuthenticationReview(review: { session, _ in try await Task { try await session.logOut() }.value }))
        await expectError(.sessionEnded) { _ = try await bench.get() }
        #expect(await comesTrue { revoked(bench) == ["t1"] })
    }

    @Test func `the local end of a user's session revokes nothing`() async throws {
        let server = Server()
        defer { server.gate.open() }
        let bench = bench(server)
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        bench.session.endSession()
        await expectError(.sessionEnded) { _ = try await request.value }
        server.gate.open()
        #expect(try await bench.get() == 200)
        try await bench.session.logOut()
        let present = try #require(carried(bench))
        #expect(revoked(bench).map { "Token \($0)" } == [present])
    }

    @Test func `a token under review is revoked by a logout, once`() async throws {
        let (server, gate) = (Server(), Turnstile())
        defer { gate.open() }
        server.gate.open()
        let bench = bench(server, review: AuthenticationReview(review: { _, _ in try await gate.pass() }))
        let request = Task { try await bench.get() }
        await gate.arrivals(1)
        try await bench.session.logOut()
        await expectError(.sessionEnded) { _ = try await request.value }
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a token that a review has rejected is revoked by the next logout`() async throws {
        let server = Server()
        server.gate.open()
        let bench = bench(server, review: AuthenticationReview(review: { _, _ in throw Rejected() }))
        await #expect(throws: Rejected.self) { try await bench.get() }
        #expect(revoked(bench).isEmpty)
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a token of a login that fails afterwards is revoked by the next logout`() async throws {
        let server = Server()
        server.gate.open()
        let bench = ProgramBench(ProgramObserver(parameters: CheckedToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        }
        await #expect(throws: (any Error).self) { try await bench.get() }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["t1"])
    }

    @Test func `a token with a value of a login that fails afterwards is revoked by the next logout`() async throws {
        let server = Server()
        server.gate.open()
        let bench = ProgramBench(ProgramObserver(parameters: JoinedToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        }
        await #expect(throws: (any Error).self) { try await bench.get() }
        try await bench.session.logOut()
        #expect(revoked(bench) == ["jt1"])
    }

    @Test func `a part of a server's code is revoked after a failed login, and a key of the client is not`() async throws {
        let observers: [any SessionObserver] = [
            ProgramObserver(parameters: PartOfCode(), prompter: nil, store: nil),
            ProgramObserver(parameters: DerivedToken(), prompter: nil, store: nil),
        ]
        for (observer, expected) in zip(observers, [["1"], []]) {
            let server = Server()
            server.gate.open()
            let bench = ProgramBench(observer) { try await server.answer($0) }
            await #expect(throws: (any Error).self) { try await bench.get() }
            #expect(bench.transport.sent.contains { $0.path == "/check" })
            try await bench.session.logOut()
            #expect(revoked(bench) == expected)
        }
    }

    @Test func `a token of the client itself that a server refuses is not revoked`() async throws {
        let server = Server()
        let bench = ProgramBench(ProgramObserver(parameters: OwnToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        }
        await #expect(throws: (any Error).self) { try await bench.get() }
        #expect(bench.transport.sent.contains { $0.path == "/check" })
        try await bench.session.logOut()
        #expect(revoked(bench).isEmpty)
    }

    @Test func `a token of the application that a server refuses is not revoked`() async throws {
        let server = Server()
        let bench = ProgramBench(
            ProgramObserver(parameters: AskedToken(), prompter: Application(waitingAt: []), store: nil)
        ) { try await server.answer($0) }
        await #expect(throws: (any Error).self) { try await bench.get() }
        #expect(bench.transport.sent.contains { $0.path == "/check" })
        try await bench.session.logOut()
        #expect(revoked(bench).isEmpty)
    }

    @Test(arguments: [0, 120]) func `a rejected token is revoked unless it has expired`(_ age: Int) async throws {
        let server = Server()
        server.gate.open()
        let observer = ProgramObserver(
            parameters: ShortToken(), prompter: nil, places: nil,
            review: AuthenticationReview(review: { _, _ in throw Rejected() }))
        let bench = ProgramBench(observer) { try await server.answer($0) }
        await #expect(throws: Rejected.self) { try await bench.get() }
        bench.clock.advance(by: .seconds(age))
        try await bench.session.logOut()
        #expect(revoked(bench) == (age == 0 ? ["t1"] : []))
    }

    @Test func `a token that arrives after the logout is revoked even if its login is not over`() async throws {
        let server = Server()
        defer { server.gate.open() }
        let bench = ProgramBench(ProgramObserver(parameters: CheckedToken(), prompter: nil, store: nil)) {
            try await server.answer($0)
        }
        let request = Task { try await bench.get() }
        await server.gate.arrivals(1)
        let logout = Task { try await bench.session.logOut() }
        #expect(await comesTrue { bench.events.count(.ended) == 1 })
        server.gate.open()
        try await logout.value
        await expectError(.sessionEnded) { _ = try await request.value }
        #expect(revoked(bench) == ["t1"])
        #expect(!bench.transport.sent.contains { $0.path == "/check" })
    }

    // MARK: Later logins

    /// A session whose first login was abandoned, while another one is running.
    private struct TwoLogins {
        let server = Server()
        let store = PlaceStore()
        let application: Application
        let bench: ProgramBench
        let credential: ManagedCredential
        /// The request of the later login.
        let later: Task<Int, any Error>

        init(waitingAt gates: [Gate]) async throws {
            let (server, application) = (server, Application(waitingAt: gates))
            let observer = ProgramObserver(parameters: ComputedToken(), prompter: application, places: store)
            let bench = ProgramBench(observer) { try await server.answer($0) }
            let first = Task { try await bench.get() }
            #expect(await comesTrue { application.count == 1 })
            first.cancel()
            await #expect(throws: (any Error).self) { try await first.value }
            later = Task { try await bench.get() }
            #expect(await comesTrue { application.count == 2 })
            credential = try #require(observer.manager.spaces.withLock { $0.all }.first)
            (self.application, self.bench) = (application, bench)
        }
    }

    @Test func `a login that ends after a later one does not replace its credential, and is revoked by the logout`() async throws {
        let gate = Gate()
        defer { gate.open() }
        let logins = try await TwoLogins(waitingAt: [gate])
        let bench = logins.bench
        #expect(try await logins.later.value == 200)
        #expect(carried(bench) == "Token t2")
        gate.open()
        #expect(await comesTrue { logins.credential.state.withLock { $0.flights.isEmpty } })
        #expect(logins.store.values == [[.secret("t2")]])
        logins.server.refused.withLock { $0 = ["Token t2"] }
        #expect(try await bench.get() == 200)
        #expect(carried(bench) == "Token t3")
        #expect(logins.application.count == 3)
        try await bench.session.logOut()
        #expect(revoked(bench).sorted() == ["t1", "t3"])
    }

    @Test func `a login that ends during a later one does not replace its credential, and is revoked by the logout`() async throws {
        let gates = [Gate(), Gate()]
        defer { for gate in gates { gate.open() } }
        let logins = try await TwoLogins(waitingAt: gates)
        let bench = logins.bench
        gates[0].open()
        #expect(await comesTrue { logins.credential.state.withLock { $0.flights.count == 1 } })
        gates[1].open()
        #expect(try await logins.later.value == 200)
        #expect(carried(bench) == "Token t2")
        #expect(logins.application.count == 2)
        try await bench.session.logOut()
        #expect(revoked(bench).sorted() == ["t1", "t2"])
    }
}
