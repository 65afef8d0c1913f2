import Countersign
import CountersignTesting
import Foundation
import HTTPAuthentication
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// The generated client of HTTP Digest, on sockets, with a server that computes the hashes by other code.
@Suite(.takesTurns) struct DigestTests {
    /// Types one password after another, and repeats the last one.
    private final class Person: HTTPDigestPrompting {
        private let passwords: [String]
        private let prompts = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        var refusals: [Int] { prompts.withLock { $0.map(\.refusals) } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = prompts.withLock { prompts in
                prompts.append(prompt)
                return prompts.count
            }
            return passwords.prefix(count).last.map { ("jürgen", $0) }
        }
    }

    private func run(
        _ person: Person, algorithms: [MockDigest.Algorithm] = [.md5, .sha256], _ body: (MockDigest, Session) async throws -> Void
    ) async throws {
        try await MockDigest.run(users: ["jürgen": "pässwörd€"], algorithms: algorithms) { mock in
            await withSession { session in
                session.register(HTTPDigestObserver(parameters: HTTPDigestParameters(servers: [mock.url]), prompting: person))
                try await body(mock, session)
            }
        }
    }

    private func call(_ mock: MockDigest, _ session: Session) async throws -> Int {
        let url = try #require(URL(string: "data?a=b%20c", relativeTo: mock.url)?.absoluteURL)
        return try await status(SessionRequest(HTTPRequest(url: url)), session)
    }

    @Test(arguments: [[MockDigest.Algorithm.md5], [.sha256], [.md5, .sha256]])
    func `each algorithm is taken, and the password is asked for once`(_ algorithms: [MockDigest.Algorithm]) async throws {
        let person = Person("pässwörd€")
        try await run(person, algorithms: algorithms) { (mock, session) async throws in
            for _ in 0..<3 { #expect(try await call(mock, session) == 200) }
            #expect(mock.statistics.challenges == 1 && mock.statistics.answered == 3)
        }
        #expect(person.refusals == [0])
    }

    @Test func `a nonce that is not good any more is replaced without a question`() async throws {
        let person = Person("pässwörd€")
        try await run(person) { (mock, session) async throws in
            #expect(try await call(mock, session) == 200)
            mock.forgetNonces()
            #expect(try await call(mock, session) == 200)
            #expect(mock.statistics.stale == 1)
        }
        #expect(person.refusals == [0])
    }

    @Test func `a wrong password is asked for again, three times at most`() async throws {
        let better = Person("wrong", "pässwörd€")
        try await run(better) { (mock, session) async throws in #expect(try await call(mock, session) == 200) }
        #expect(better.refusals == [0, 1])

        let forgetful = Person("a", "b", "c", "d")
        try await run(forgetful) { (mock, session) async throws in
            let error = await #expect(throws: CountersignError.self) { _ = try await call(mock, session) }
            #expect(error?.code == .challengedAgain)
        }
        #expect(forgetful.refusals == [0, 1, 2])
    }

    @Test func `100 requests at once take one question`() async throws {
        let person = Person("pässwörd€")
        try await run(person) { (mock, session) async throws in
            let gate = mock.hold(until: 100)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 { group.addTask { try await call(mock, session) } }
                return try await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 100])
            #expect(!gate.hasTimedOut && mock.statistics.sends == 200)
        }
        #expect(person.refusals == [0])
    }
}
