import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing
import Transmission

/// The generated client of Transmission, on sockets.
@Suite(.takesTurns) struct TransmissionTests {
    /// Types one password after another, and repeats the last one.
    private final class Person: HTTPBasicPrompting {
        private let passwords: [String]
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        var prompts: [CredentialPrompt] { asked.withLock { $0 } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            return ("alice", passwords[min(count, passwords.count) - 1])
        }
    }

    private func run(
        users: [String: String] = [:], _ person: Person = Person("wonderland"),
        _ body: (MockTransmission, Session) async throws -> Void
    ) async throws {
        try await MockTransmission.run(users: users) { mock in
            await withSession { session in
                session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [mock.url]), prompting: person))
                session.register(TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])))
                try await body(mock, session)
            }
        }
    }

    private func call(_ mock: MockTransmission, _ session: Session) async throws -> Int {
        var request = HTTPRequest(method: .post, url: mock.url)
        request.headerFields[.contentType] = "application/json"
        let body = Array(#"{"method":"session-get"}"#.utf8)
        return try await status(SessionRequest(request, body: .bytes(body)), session)
    }

    @Test func `a call takes one more send for the session id, and the next none`() async throws {
        try await run { (mock, session) async throws in
            #expect(try await call(mock, session) == 200)
            #expect(try await call(mock, session) == 200)
            #expect(mock.statistics == .counts(conflicts: 1, answered: 2))
        }
    }

    @Test func `with a password the call is challenged twice, by two methods`() async throws {
        let person = Person("wonderland")
        try await run(users: ["alice": "wonderland"], person) { (mock, session) async throws in
            #expect(try await call(mock, session) == 200)
            #expect(try await call(mock, session) == 200)
            #expect(mock.statistics == .counts(unauthorized: 1, conflicts: 1, answered: 2))
            #expect(person.prompts.map(\.challenge) == [["realm": "Transmission"]])
        }
    }

    @Test func `a wrong password is asked for again, as often as the spec says`() async throws {
        let person = Person("wrong", "wonderland")
        try await run(users: ["alice": "wonderland"], person) { (mock, session) async throws in
            #expect(try await call(mock, session) == 200)
            #expect(person.prompts.map(\.refusals) == [0, 1])
        }
        let forgetful = Person("a", "b", "c", "d")
        try await run(users: ["alice": "wonderland"], forgetful) { (mock, session) async throws in
            await #expect(throws: CountersignError.self) { _ = try await call(mock, session) }
            #expect(forgetful.prompts.map(\.refusals) == [0, 1, 2])
            #expect(mock.statistics == .counts(unauthorized: 4))
        }
    }

    @Test func `a hundred calls at once with an old session id share the new one`() async throws {
        try await run { (mock, session) async throws in
            #expect(try await call(mock, session) == 200)
            mock.changeSession()
            mock.resetStatistics()
            let gate = mock.hold(until: 100, limit: .seconds(120))
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<100 { group.addTask { try? await call(mock, session) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 100))
            #expect(!gate.hasTimedOut)
            #expect(mock.statistics == .counts(conflicts: 100, answered: 100))
        }
    }

    @Test func `a server whose answers alternate is asked a limited number of times`() async throws {
        try await run { (mock, session) async throws in
            mock.changeSessionAlways()
            do {
                _ = try await call(mock, session)
                Issue.record("no error")
            } catch let error as CountersignError {
                #expect(error.code == .challengedAgain)
                #expect(error.authenticationMethod == "TransmissionSession")
            }
            #expect(mock.statistics == .counts(conflicts: 4))
        }
    }

    @Test func `a session id that is longer than any is not sent back`() async throws {
        try await run { (mock, session) async throws in
            mock.sendAsSession(String(repeating: "x", count: 10_000))
            do {
                _ = try await call(mock, session)
                Issue.record("no error")
            } catch let error as CountersignError {
                #expect(error.code == .unusableChallenge)
                #expect(!"\(error)".contains("xx"))
            }
            #expect(mock.statistics == .counts(conflicts: 1))
        }
    }
}

extension MockTransmission.Statistics {
    /// Statistics in which each request had one of three outcomes.
    fileprivate static func counts(unauthorized: Int = 0, conflicts: Int = 0, answered: Int = 0) -> Self {
        var statistics = Self()
        statistics.unauthorized = unauthorized
        statistics.conflicts = conflicts
        statistics.answered = answered
        statistics.sends = unauthorized + conflicts + answered
        return statistics
    }
}
