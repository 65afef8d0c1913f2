@_spi(Generated) internal import Countersign
internal import TestTurns
internal import Testing

@testable @_spi(Generated) internal import CountersignGSSAPI

// Uses a KDC and the library's own acceptor. The location of tickets belongs to the process, so one test runs at a time.

@Suite(.takesTurns, .serialized, .enabled(if: KerberosLab.isThere, KerberosLab.whereToFind))
struct GSSAPISecurityTests {
    private let service = "HTTP@web.lab.test"

    init() throws { try KerberosLab.reset() }

    private func context(
        for service: String = "HTTP@web.lab.test", as principal: String? = nil, bindings: [UInt8]? = nil
    ) async throws -> any SecurityContext {
        try await GSSAPISecurity().makeContext(for: service, as: principal, bindings: bindings)
    }

    /// Returns the error of making a context and its first leg.
    private func error(
        _ security: GSSAPISecurity = GSSAPISecurity(), for service: String = "HTTP@web.lab.test", as principal: String? = nil
    ) async throws -> SecurityContextError {
        try #require(
            await #expect(throws: SecurityContextError.self) {
                _ = try await security.makeContext(for: service, as: principal, bindings: nil).next(after: nil)
            })
    }

    /// Returns the error of a leg.
    private func failure(of context: any SecurityContext, after token: [UInt8]?) async throws -> SecurityContextError {
        try #require(await #expect(throws: SecurityContextError.self) { _ = try await context.next(after: token) })
    }

    @Test func `one leg proves both sides`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let context = try await context()
        let acceptor = try Acceptor()
        let first = try await context.next(after: nil)
        #expect(!first.isComplete)
        let answer = try acceptor.answer(to: first.token)
        #expect(answer.client == "alice@LAB.TEST")
        let last = try await context.next(after: answer.token)
        #expect(last == SecurityContextStep(token: nil, isComplete: true))
        #expect(String(describing: first) == "SecurityContextStep(token: \(first.token?.count ?? 0) bytes, isComplete: false)")
    }

    @Test func `a context ends once`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let context = try await context()
        _ = try await context.complete(with: Acceptor())
        let error = try await failure(of: context, after: [1])
        #expect(error == SecurityContextError(.failed, detail: "the context has ended"))
    }

    @Test func `a context does not begin with a token of the server`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let context = try await context()
        let error = try await failure(of: context, after: [1])
        #expect(error.code == .failed)
        #expect(try await context.complete(with: Acceptor()).client == "alice@LAB.TEST")
    }

    @Test(arguments: [nil, [], [1, 2, 3]] as [[UInt8]?])
    func `a server without a token, or with none that can be read, has not proven who it is`(token: [UInt8]?) async throws {
        try await KerberosLab.getTicket(of: "alice")
        let context = try await context()
        _ = try await context.next(after: nil)
        let error = try await failure(of: context, after: token)
        #expect(error.code == .serverNotProven)
        // The server gets no second chance.
        let second = try await failure(of: context, after: [1])
        #expect(second.code == .failed)
    }

    @Test func `a server whose token was altered has not proven who it is`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let context = try await context()
        let answer = try Acceptor().answer(to: try await context.next(after: nil).token)
        var token = try #require(answer.token)
        token[token.count - 1] ^= 1
        let error = try await failure(of: context, after: token)
        #expect(error.code == .serverNotProven)
        #expect(error.detail == "the server has not proven its identity: Decrypt integrity check failed")
    }

    @Test func `a server's token for another context proves nothing`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let (context, other) = (try await context(), try await self.context())
        _ = try await context.next(after: nil)
        let token = try Acceptor().answer(to: try await other.next(after: nil).token).token
        let error = try await failure(of: context, after: token)
        #expect(error.code == .serverNotProven)
    }

    @Test func `a context without mutual authentication is not complete`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let library = try CountedLibrary.load(hidesMutual: true)
        let security = GSSAPISecurity { () throws(SecurityContextError) in library }
        let context = try await security.makeContext(for: service, as: nil, bindings: nil)
        let answer = try Acceptor().answer(to: try await context.next(after: nil).token)
        let error = try await failure(of: context, after: answer.token)
        #expect(error.code == .serverNotProven)
        #expect(error.detail == "the context was completed without mutual authentication")
    }

    @Test func `without a ticket, kinit is what helps`() async throws {
        let error = try await error()
        #expect(error.code == .noTicket)
        #expect(error.detail.contains("kinit"))
        #expect(error.detail.contains("No Kerberos credentials available"))
    }

    @Test func `an expired ticket is not taken for none`() async throws {
        try KerberosLab.useExpiredTicket()
        for principal in [nil, "alice@LAB.TEST"] {
            let error = try await error(as: principal)
            #expect(error.code == .expiredTicket)
            #expect(error.detail == "the Kerberos ticket has expired; get another with kinit: Ticket expired")
        }
    }

    @Test(arguments: ["HTTP@other.lab.test", "HTTP@server.example"])
    func `a service that the KDC does not know is named`(service: String) async throws {
        try await KerberosLab.getTicket(of: "alice")
        let error = try await error(for: service)
        #expect(error.code == .unknownServer)
        #expect(error.detail.hasPrefix("the KDC does not know the service \(service): Server "))
    }

    @Test func `a name that is none is refused`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        #expect(try await error(for: "").code == .failed)
    }

    @Test func `bindings that agree are taken, and others are refused by the server`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let bindings = Array("tls-server-end-point:0123456789abcdef".utf8)
        let other = Array("tls-server-end-point:fedcba9876543210".utf8)
        #expect(try await context(bindings: bindings).complete(with: Acceptor(bindings: bindings)).client == "alice@LAB.TEST")

        let context = try await context(bindings: bindings)
        let answer = try Acceptor(bindings: other).answer(to: try await context.next(after: nil).token)
        #expect(answer.error == 4)
        // A refusal of the server proves nothing.
        let error = try await failure(of: context, after: answer.token)
        #expect(error.code == .serverNotProven)
    }

    @Test func `bindings of one side alone are taken by MIT Kerberos`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let bindings = Array("tls-server-end-point:0123456789abcdef".utf8)
        #expect(try await context(bindings: bindings).complete(with: Acceptor()).client == "alice@LAB.TEST")
        #expect(try await context().complete(with: Acceptor(bindings: bindings)).client == "alice@LAB.TEST")
    }

    @Test func `a principal's tickets are found among several caches`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        try await KerberosLab.getTicket(of: "bob", cache: "tktbob")
        for (principal, client) in [(nil, "alice"), ("bob@LAB.TEST", "bob"), ("bob", "bob"), ("alice@LAB.TEST", "alice")] {
            let result = try await context(as: principal).complete(with: Acceptor())
            #expect(result.client == "\(client)@LAB.TEST", "\(principal ?? "the default cache")")
        }
        #expect(try await error(as: "carol@LAB.TEST").code == .noTicket)
    }

    @Test func `contexts are made at the same time`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let tokens = try await withThrowingTaskGroup { group in
            for _ in 0..<16 {
                group.addTask { try await context().next(after: nil).token }
            }
            return try await group.reduce(into: Set<[UInt8]?>()) { $0.insert($1) }
        }
        #expect(tokens.count == 16)
    }

    @Test func `a cancelled leg returns at once, and ends the context`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let server = try SilentServer()
        try KerberosLab.useKDC(atPort: server.port)
        let library = try CountedLibrary.load()
        let security = GSSAPISecurity { () throws(SecurityContextError) in library }
        do {
            let context = try await security.makeContext(for: service, as: nil, bindings: nil)
            let leg = Task { try await context.next(after: nil) }
            await server.waitForRequest()
            leg.cancel()
            await #expect(throws: CancellationError.self) { try await leg.value }
            // The call itself ends when the KDC stops.
            server.stop()
            let error = try await failure(of: context, after: nil)
            #expect(error.code == .failed)
        }
        await waitForBalance()
        #expect(CountedLibrary.isBalanced)
    }

    @Test func `a cancelled task makes no calls`() async throws {
        let library = try CountedLibrary.load()
        let security = GSSAPISecurity { () throws(SecurityContextError) in library }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await security.makeContext(for: service, as: nil, bindings: nil)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(CountedLibrary.current.isEmpty)
    }

    @Test func `every object of the library is released once`() async throws {
        try await KerberosLab.getTicket(of: "alice")
        let library = try CountedLibrary.load()
        let security = GSSAPISecurity { () throws(SecurityContextError) in library }
        do {
            let complete = try await security.makeContext(for: service, as: "alice@LAB.TEST", bindings: [1])
            _ = try await complete.complete(with: Acceptor())
            let failed = try await security.makeContext(for: service, as: nil, bindings: nil)
            _ = try await failed.next(after: nil)
            _ = try? await failed.next(after: [1])
            let abandoned = try await security.makeContext(for: service, as: nil, bindings: nil)
            _ = try await abandoned.next(after: nil)
            _ = try await security.makeContext(for: service, as: nil, bindings: nil)
            for service in ["HTTP@other.lab.test", ""] { _ = try await error(security, for: service) }
            _ = try await error(security, as: "carol@LAB.TEST")
        }
        await waitForBalance()
        let counts = CountedLibrary.current
        #expect(counts["context"] == CountedLibrary.Count(made: 3, released: 3))
        #expect(counts.keys.sorted() == ["buffer", "context", "credential", "name"])
        for count in counts.values { #expect(count.made == count.released && count.made > 0) }
    }

    /// Waits until the thread of the queue has released its objects.
    private func waitForBalance() async {
        for _ in 0..<6_000 where !CountedLibrary.isBalanced { try? await Task.sleep(for: .milliseconds(10)) }
    }
}

extension GSSAPISecurityTests {
    @Test(.enabled(if: KerberosLab.hasNTLM, KerberosLab.whereToFindNTLM))
    func `NTLM is used where it is permitted, in two legs`() async throws {
        try KerberosLab.addNTLMUser()
        for principal in [nil, "alice", #"LAB\alice"#] {
            let context = try await GSSAPISecurity().makeContext(
                for: service, as: principal, bindings: nil, mechanisms: .all)
            let result = try await context.complete(with: Acceptor())
            #expect(result.client == #"LAB\alice"#)
            #expect(result.tokens == 2)
        }
    }

    @Test(.enabled(if: KerberosLab.hasNTLM, KerberosLab.whereToFindNTLM))
    func `NTLM is bound to the channel, too`() async throws {
        try KerberosLab.addNTLMUser()
        let context = try await GSSAPISecurity().makeContext(
            for: service, as: nil, bindings: [1], mechanisms: .all)
        #expect(try await context.complete(with: Acceptor(bindings: [1])).client == #"LAB\alice"#)
        let other = try await GSSAPISecurity().makeContext(
            for: service, as: nil, bindings: [1], mechanisms: .all)
        let acceptor = try Acceptor(bindings: [2])
        let challenge = try acceptor.answer(to: try await other.next(after: nil).token).token
        #expect(try acceptor.answer(to: try await other.next(after: challenge).token).error != 0)
    }

    @Test(.enabled(if: KerberosLab.hasNTLM, KerberosLab.whereToFindNTLM))
    func `NTLM is not offered unless it is permitted`() async throws {
        try KerberosLab.addNTLMUser()
        #expect(try await error().code == .noTicket)
        // NTLM is also not used if the library offers no way to set the mechanisms.
        var library = try GSSLibrary.load(GSSLibrary.systemPath)
        library.setMechanisms = nil
        let security = GSSAPISecurity { [library] () throws(SecurityContextError) in library }
        #expect(try await error(security).code == .noTicket)
    }

    @Test(.enabled(if: KerberosLab.hasNTLM, KerberosLab.whereToFindNTLM))
    func `Kerberos comes first where all mechanisms are permitted`() async throws {
        try KerberosLab.addNTLMUser()
        try await KerberosLab.getTicket(of: "alice")
        for principal in [nil, "alice@LAB.TEST"] {
            let context = try await GSSAPISecurity().makeContext(
                for: service, as: principal, bindings: nil, mechanisms: .all)
            #expect(try await context.complete(with: Acceptor()).client == "alice@LAB.TEST")
        }
    }
}
