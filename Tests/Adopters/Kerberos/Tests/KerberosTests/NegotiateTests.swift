import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPAuthentication
import HTTPTypes
import HTTPTypesFoundation
import Synchronization
import Testing

/// An application without a password.
private struct Silence: HTTPBasicPrompting {
    func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? { nil }
}

/// HTTP Negotiate with Apache's mod_auth_gssapi and tickets of MIT Kerberos. `.ci/lab-kerberos` starts both, and sets the
/// variables by which the library finds them. The variables belong to the process, so one test runs at a time.
@Suite(.serialized, .enabled(if: Lab.isThere, "needs the lab's Kerberos realm: .ci/lab-kerberos"))
struct NegotiateTests {
    init() throws { try Lab.forgetTickets() }

    private func observer(
        principal: String? = nil, isBound: Bool = false, takesAnyMechanism: Bool = false
    ) -> HTTPNegotiateObserver {
        HTTPNegotiateObserver(
            parameters: HTTPNegotiateParameters(
                servers: [Lab.server, Lab.serverOfSeveralLegs], principal: principal, bindsToCertificate: isBound,
                takesAnyMechanism: takesAnyMechanism))
    }

    @Test func `a ticket is shown to the server, which proves who it is`() async throws {
        try await Lab.getTicket("alice")
        let events = Events()
        let session = try Lab.session(observer(), events: events)
        for _ in 0..<3 { #expect(try await Lab.user(at: "/negotiate/", session) == "alice@LAB.TEST") }
        #expect(events.challenges == 1)
    }

    @Test func `a hundred requests at once take one challenge each, and a ticket each`() async throws {
        try await Lab.getTicket("alice")
        let session = try Lab.session(observer())
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<100 { group.addTask { try await Lab.user(at: "/negotiate/", session) } }
            for try await user in group { #expect(user == "alice@LAB.TEST") }
        }
    }

    @Test func `a body goes along with the answer to the challenge`() async throws {
        try await Lab.getTicket("alice")
        let session = try Lab.session(observer())
        #expect(try await Lab.bodyLength(posting: Array("0123456789".utf8), session) == 10)
    }

    @Test func `names in UTF-8`() async throws {
        try await Lab.getTicket("jürgen", password: "pässwörd€")
        #expect(try await Lab.user(at: "/negotiate/", Lab.session(observer())) == "jürgen@LAB.TEST")
    }

    @Test func `without a ticket the error says kinit, and the next request finds one`() async throws {
        let session = try Lab.session(observer())
        let error = await #expect(throws: HTTPNegotiateError.self) { _ = try await Lab.user(at: "/negotiate/", session) }
        guard case .noTicket(let detail)? = error else {
            Issue.record("another error")
            return
        }
        #expect(detail.contains("kinit"))
        #expect(error?.recoverySuggestion?.contains("kinit") == true)
        try await Lab.getTicket("alice")
        #expect(try await Lab.user(at: "/negotiate/", session) == "alice@LAB.TEST")
    }

    @Test func `an expired ticket, and another principal's`() async throws {
        try await Lab.getTicket("alice", lifetime: "4s")
        let session = try Lab.session(observer())
        #expect(try await Lab.user(at: "/negotiate/", session) == "alice@LAB.TEST")
        try await Task.sleep(for: .seconds(5))
        await #expect(throws: HTTPNegotiateError.self) { _ = try await Lab.user(at: "/negotiate/", session) }
        try await Lab.getTicket("alice")
        #expect(try await Lab.user(at: "/negotiate/", session) == "alice@LAB.TEST")
        await #expect(throws: HTTPNegotiateError.self) {
            _ = try await Lab.user(at: "/negotiate/", Lab.session(observer(principal: "jürgen@LAB.TEST")))
        }
    }

    @Test func `where Basic is offered as well, the ticket is shown`() async throws {
        try await Lab.getTicket("alice")
        let basic = HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [Lab.server]), prompting: Silence())
        let session = try Lab.session(observer(), basic)
        #expect(try await Lab.user(at: "/either/", session) == "alice@LAB.TEST")
    }

    @Test func `a session cookie of the server takes the place of tickets`() async throws {
        try await Lab.getTicket("alice")
        let session = try Lab.session(observer())
        #expect(try await Lab.user(at: "/session/", session) == "alice@LAB.TEST")
        #expect(session.cookies.all.contains { $0.name == "krbsession" })
    }

    @Test func `a context that is bound to the server's certificate`() async throws {
        try await Lab.getTicket("alice")
        let events = Events()
        let session = try Lab.session(observer(isBound: true), events: events)
        for _ in 0..<2 { #expect(try await Lab.user(at: "/negotiate/", session) == "alice@LAB.TEST") }
        // Each request is challenged over its own connection.
        #expect(events.challenges == 2)
    }

    @Test func `several legs go over one connection`() async throws {
        try Lab.useNTLM()
        let events = Events()
        let session = try Lab.session(observer(takesAnyMechanism: true), events: events)
        for _ in 0..<3 {
            #expect(try await Lab.user(at: "/", on: Lab.serverOfSeveralLegs, session)?.lowercased().contains("alice") == true)
        }
        #expect(events.challenges >= 3)
    }

    @Test func `twenty requests at once have a connection each for their legs`() async throws {
        try Lab.useNTLM()
        let session = try Lab.session(observer(takesAnyMechanism: true))
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await Lab.user(at: "/", on: Lab.serverOfSeveralLegs, session) } }
            for try await user in group { #expect(user?.lowercased().contains("alice") == true) }
        }
    }

    @Test func `NTLM is not offered unless it may be`() async throws {
        try Lab.useNTLM()
        let session = try Lab.session(observer())
        await #expect(throws: HTTPNegotiateError.self) { _ = try await Lab.user(at: "/", on: Lab.serverOfSeveralLegs, session) }
    }
}
