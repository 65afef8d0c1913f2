import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAMLECP
import Synchronization
import TestTurns
import Testing

/// The generated client of the Enhanced Client or Proxy profile of SAML, on sockets.
@Suite(.takesTurns) struct SAMLECPTests {
    /// Types one password after another, and repeats the last one.
    private final class ScriptedUser: SAMLECPPrompting {
        private let passwords: [String]
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        var prompts: [CredentialPrompt] { asked.withLock(\.self) }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            return passwords.prefix(count).last.map { ("alice", $0) }
        }
    }

    private func run(
        refusesByStatusOfSAML: Bool = false, oddity: MockSAMLECP.Oddity? = nil,
        _ body: (MockSAMLECP, Session) async throws -> Void
    ) async throws {
        try await MockSAMLECP.run(refusesByStatusOfSAML: refusesByStatusOfSAML, oddity: oddity) { mock in
            await withSession { session in
                try await body(mock, session)
            }
        }
    }

    private func observer(
        _ mock: MockSAMLECP, user: String = "alice", password: String? = "wonderland", _ prompting: ScriptedUser? = nil
    ) -> SAMLECPObserver {
        SAMLECPObserver(
            parameters: SAMLECPParameters(
                servers: [mock.url], identityProviderURL: mock.identityProviderURL, user: password.map { _ in user },
                password: password),
            prompting: prompting)
    }

    private func data(_ mock: MockSAMLECP) -> URL { mock.url.appending(path: "data") }

    /// Returns the status code and the text of a response.
    private func get(_ url: URL, accept: String? = nil, _ session: Session) async throws -> String {
        var request = HTTPRequest(url: url)
        request.headerFields[.accept] = accept
        return try await send(SessionRequest(request), session)
    }

    private func send(_ request: SessionRequest, _ session: Session) async throws -> String {
        let response = try await session.send(request)
        return "\(response.head.status.code) \(String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self))"
    }

    private func requests(_ path: String, at mock: MockSAMLECP) -> [ReceivedRequest] { mock.requests.filter { $0.path == path } }

    /// Returns the relay state of a message in its encoded form; `nil` for none.
    private func relayState(_ request: ReceivedRequest) -> Substring? {
        let message = String(decoding: request.body, as: UTF8.self)
        return message.firstMatch(of: #/<[^<>]*RelayState[^>]*>([^<]*)</#)?.output.1
    }

    // MARK: Logins

    @Test func `one login serves each further request`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            for _ in 0..<3 { #expect(try await get(data(mock), session) == "200 data\n") }
            #expect(mock.statistics == .counts(challenges: 1, answered: 3, assertions: 1, logins: 1))
            #expect(mock.requests.map(\.path) == ["/data", "/ecp", "/paos", "/data", "/data", "/data"])
        }
    }

    @Test func `a user and a password with letters beyond ASCII are sent as UTF-8`() async throws {
        try await MockSAMLECP.run(users: ["jürgen": "pässwörd€"]) { (mock) async throws in
            await withSession { (session) async throws in
                session.register(observer(mock, user: "jürgen", password: "pässwörd€"))
                #expect(try await get(data(mock), session) == "200 data\n")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a wrong password is asked for again, whether the status of HTTP or that of SAML says so`(_ isSAML: Bool) async throws {
        try await run(refusesByStatusOfSAML: isSAML) { (mock, session) async throws in
            let user = ScriptedUser("wrong", "wonderland")
            session.register(observer(mock, password: nil, user))
            #expect(try await get(data(mock), session) == "200 data\n")
            #expect(user.prompts.map(\.refusals) == [0, 1])
            // The password is for the identity provider.
            let origin = try #require(Origin(mock.identityProviderURL))
            #expect(user.prompts.map(\.origin) == [origin, origin])
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, assertions: 1, refusals: 1, logins: 1))
        }
    }

    @Test func `a password that stays wrong is given up after three times`() async throws {
        try await run { (mock, session) async throws in
            let user = ScriptedUser("wrong")
            session.register(observer(mock, password: nil, user))
            #expect(await code { try await get(data(mock), session) } == .refusedByServer)
            #expect(user.prompts.map(\.refusals) == [0, 1, 2])
            #expect(mock.statistics == .counts(challenges: 1, refusals: 3))
        }
    }

    @Test(arguments: [false, true])
    func `a wrong password that is a parameter is sent once`(_ isSAML: Bool) async throws {
        try await run(refusesByStatusOfSAML: isSAML) { (mock, session) async throws in
            session.register(observer(mock, password: "wrong"))
            #expect(await code { try await get(data(mock), session) } == .refusedByServer)
            #expect(mock.statistics == .counts(challenges: 1, refusals: 1))
            #expect(requests("/paos", at: mock).isEmpty)
        }
    }

    @Test func `a session that has ended is begun again`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            for number in 1...3 {
                #expect(try await get(data(mock), session) == "200 data\n")
                #expect(mock.statistics == .counts(challenges: number, answered: number, assertions: number, logins: number))
                mock.forgetSessions()
            }
        }
    }

    @Test func `a hundred requests at once take one login`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            let gate = mock.hold(until: 100)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await get(data(mock), session) } }
                for try await answer in group { #expect(answer == "200 data\n") }
            }
            #expect(!gate.hasTimedOut)
            #expect(mock.statistics == .counts(challenges: 100, answered: 100, assertions: 1, logins: 1))
        }
    }

    @Test func `a POST is sent again with its whole body`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            var request = HTTPRequest(method: .post, url: data(mock))
            request.headerFields[.contentType] = "text/plain"
            let body = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
            #expect(try await send(SessionRequest(request, body: .bytes(body)), session) == "200 data\n")
            let sent = requests("/data", at: mock)
            #expect(sent.map(\.method) == ["POST", "POST"])
            #expect(sent.map(\.body) == [Data(body), Data(body)])
            #expect(sent.map { $0.fields["content-type"] } == ["text/plain", "text/plain"])
        }
    }

    // MARK: Announcements

    @Test(
        arguments: [
            (nil, "*/*, application/vnd.paos+xml"), ("application/json", "application/json, application/vnd.paos+xml"),
        ] as [(String?, String)])
    func `each request to a server says that the client knows the profile, behind what the caller accepts`(
        _ accept: String?, _ sent: String
    ) async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            for _ in 0..<2 { #expect(try await get(data(mock), accept: accept, session) == "200 data\n") }
            let received = requests("/data", at: mock)
            #expect(received.count == 3)
            for request in received {
                #expect(request.fields["accept"] == sent)
                #expect(
                    request.fields["paos"]
                        == "ver=\"urn:liberty:paos:2003-08\";\"urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp\"")
            }
        }
    }

    @Test func `a server that is not named learns nothing of the profile, and gets no cookie`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await get(data(mock), session) == "200 data\n")
            let cookie = try #require(requests("/data", at: mock).last?.fields["cookie"])
            try await MockSAMLECP.run { (other) async throws in
                #expect(try await get(data(other), session).hasPrefix("403 "))
                #expect(try await get(data(other), accept: "text/html", session).hasPrefix("403 "))
                #expect(other.requests.map { $0.fields["accept"] } == [nil, "text/html"])
                #expect(other.requests.allSatisfy { $0.fields["paos"] == nil })
                #expect(other.requests.allSatisfy { $0.fields["cookie"] != cookie })
                #expect(other.statistics.unannounced == 2)
            }
        }
    }

    // MARK: Recipients

    @Test func `the password goes to the identity provider alone, and no cookie of the service provider goes there`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            session.cookies.store(["theme=dark; Path=/"], from: mock.url)
            #expect(try await get(data(mock), session) == "200 data\n")
            mock.forgetSessions()
            #expect(try await get(data(mock), session) == "200 data\n")
            let logins = requests("/ecp", at: mock)
            #expect(logins.map { $0.fields["authorization"] } == Array(repeating: "Basic YWxpY2U6d29uZGVybGFuZA==", count: 2))
            #expect(logins.allSatisfy { $0.fields["cookie"] == nil })
            #expect(logins.allSatisfy { $0.fields["content-type"] == "text/xml; charset=utf-8" })
            #expect(logins.allSatisfy { !String(decoding: $0.body, as: UTF8.self).contains("RelayState") })
            for request in mock.requests where request.path != "/ecp" {
                #expect(request.fields["authorization"] == nil)
                #expect(!String(decoding: request.body, as: UTF8.self).contains("wonderland"))
            }
        }
    }

    @Test func `the cookie of the login replaces that of the challenge, and the session's cookies stay as they are`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            session.cookies.store(["theme=dark; Path=/"], from: mock.url)
            #expect(try await get(data(mock), session) == "200 data\n")
            let last = try #require(requests("/data", at: mock).last?.fields["cookie"])
            #expect(last.split(separator: "; ").map { $0.prefix { $0 != "=" } }.sorted() == ["session", "theme"])
            #expect(!last.contains("session=none"))
            #expect(session.cookies.all.first { $0.name == "session" }?.value == "none")
        }
    }

    @Test func `relay state goes back as it was`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await get(data(mock), session) == "200 data\n")
            // The mock compares it with the value that it has sent.
            #expect(mock.statistics.logins == 1)
            let response = try #require(requests("/paos", at: mock).first)
            #expect(response.fields["content-type"] == "application/vnd.paos+xml")
            #expect(relayState(response)?.hasSuffix("&amp;&quot;&lt;ü/data") == true)
        }
    }

    @Test(arguments: [MockSAMLECP.Oddity.noRelayState, .unusualPrefixes, .unusualText])
    func `what the servers write reaches the other one as it was, however they write it`(
        _ oddity: MockSAMLECP.Oddity
    ) async throws {
        try await run(oddity: oddity) { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await get(data(mock), session) == "200 data\n")
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, assertions: 1, logins: 1))
            let response = try #require(requests("/paos", at: mock).first)
            #expect((relayState(response) == nil) == (oddity == .noRelayState))
        }
    }

    // MARK: Servers that are not what they should be

    @Test func `a response for another server goes to none, and the server that asked gets a fault`() async throws {
        try await run(oddity: .otherConsumer) { (mock, session) async throws in
            session.register(observer(mock))
            #expect(await code { try await get(data(mock), session) } == .refusedByServer)
            var counts = MockSAMLECP.Statistics.counts(challenges: 1, assertions: 1)
            counts.faults = 1
            #expect(mock.statistics == counts)
            #expect(mock.requests.map(\.path) == ["/data", "/ecp", "/paos"])
            let fault = String(decoding: try #require(mock.requests.last).body, as: UTF8.self)
            #expect(!fault.contains("Assertion "))
        }
    }

    @Test func `a server that names a consumer at another origin gets no login`() async throws {
        try await run(oddity: .foreignConsumer) { (mock, session) async throws in
            session.register(observer(mock))
            #expect(await code { try await get(data(mock), session) } == .addressRefused)
            #expect(mock.statistics == .counts(challenges: 1))
            #expect(mock.requests.map(\.path) == ["/data"])
        }
    }

    @Test(arguments: [MockSAMLECP.Oddity.documentType, .noRequest, .longChallenge])
    func `a challenge that cannot be read is none, and nothing is sent because of it`(
        _ oddity: MockSAMLECP.Oddity
    ) async throws {
        try await run(oddity: oddity) { (mock, session) async throws in
            let user = ScriptedUser("wonderland")
            session.register(observer(mock, password: nil, user))
            let response = try await session.send(SessionRequest(HTTPRequest(url: data(mock))))
            #expect(response.head.headerFields[.contentType]?.hasPrefix("application/vnd.paos+xml") == true)
            #expect(user.prompts.isEmpty)
            #expect(mock.statistics == .counts(challenges: 1))
            #expect(mock.requests.map(\.path) == ["/data"])
        }
    }

    @Test func `a page in place of a response is an error, and no wrong password`() async throws {
        try await run(oddity: .page) { (mock, session) async throws in
            let user = ScriptedUser("wonderland")
            session.register(observer(mock, password: nil, user))
            #expect(await code { try await get(data(mock), session) } == .unexpectedAnswer)
            #expect(user.prompts.count == 1)
            #expect(mock.requests.map(\.path) == ["/data", "/ecp"])
        }
    }

    @Test func `a response that the service provider does not take is an error`() async throws {
        try await run(oddity: .forgottenRequests) { (mock, session) async throws in
            session.register(observer(mock))
            #expect(await code { try await get(data(mock), session) } == .unexpectedAnswer)
            #expect(mock.requests.map(\.path) == ["/data", "/ecp", "/paos"])
            #expect(mock.statistics.rejections == 1)
        }
    }

    @Test func `a server that accepts no session is asked a limited number of times`() async throws {
        try await run(oddity: .refusedSessions) { (mock, session) async throws in
            session.register(observer(mock))
            #expect(await code { try await get(data(mock), session) } == .challengedAgain)
            #expect(mock.statistics == .counts(challenges: 4, assertions: 3, logins: 3))
        }
    }
}

extension MockSAMLECP.Statistics {
    /// Counts whose number of requests is that of the challenges and the answered requests.
    fileprivate static func counts(
        challenges: Int = 0, answered: Int = 0, assertions: Int = 0, refusals: Int = 0, logins: Int = 0
    ) -> MockSAMLECP.Statistics {
        var counts = MockSAMLECP.Statistics()
        counts.challenges = challenges
        counts.answered = answered
        counts.sends = challenges + answered
        counts.assertions = assertions
        counts.refusals = refusals
        counts.logins = logins
        return counts
    }
}
