import Countersign
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Synchronization
import Testing
import Transmission

/// transmission-daemon: without a password, with one, and with one behind TLS.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct TransmissionTests {
    private final class Person: HTTPBasicPrompting {
        private let passwords: [String]
        private let count = Mutex(0)

        init(_ passwords: String...) { self.passwords = passwords }

        var asked: Int { count.withLock { $0 } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return number < passwords.count ? ("alice", passwords[number]) : nil
        }
    }

    private func session(_ url: URL, _ person: Person, _ events: Events = Events()) throws -> Session {
        try Lab.session(
            HTTPBasicObserver(parameters: HTTPBasicParameters(servers: try ProtectedOrigins([url])), prompting: person),
            TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: try ProtectedOrigins([url]))),
            events: [events])
    }

    private func call(_ url: URL, _ session: Session) async throws -> String {
        var request = HTTPRequest(method: .post, url: url)
        request.headerFields[.contentType] = "application/json"
        let response = try await session.send(
            SessionRequest(request, body: .bytes(Array(#"{"method":"session-get","arguments":{"fields":["version"]}}"#.utf8))))
        return "\(response.head.status.code) " + String(decoding: try await response.body.collect(upTo: 65536), as: UTF8.self)
    }

    @Test(arguments: [
        ("http://localhost:9490/transmission/rpc", 0), ("http://localhost:9491/transmission/rpc", 1),
        ("https://localhost:9492/transmission/rpc", 1),
    ]) func `a call gets its session id, and the next keeps it`(_ address: String, questions: Int) async throws {
        let url = try #require(URL(string: address))
        let (person, events) = (Person("wonderland"), Events())
        let session = try session(url, person, events)
        for _ in 0..<2 {
            let answer = try await call(url, session)
            #expect(answer.hasPrefix("200 ") && answer.contains(#""result":"success""#))
        }
        #expect(person.asked == questions)
        #expect(events.count { if case .resent = $0 { true } else { false } } == 1 + questions)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is asked for again, and given up after three`() async throws {
        let url = try #require(URL(string: "https://localhost:9492/transmission/rpc"))
        let better = Person("wrong", "wonderland")
        let session = try session(url, better)
        #expect(try await call(url, session).hasPrefix("200 "))
        #expect(better.asked == 2)
        await session.invalidate(cancelling: true)

        let forgetful = Person("a", "b", "c", "d")
        let other = try self.session(url, forgetful)
        await #expect(throws: CountersignError.self) { _ = try await call(url, other) }
        #expect(forgetful.asked == 3)
        await other.invalidate(cancelling: true)
    }

    /// Without a password, because after a hundred calls that lack one, the daemon answers all others with 403 until it is
    /// restarted.
    @Test func `a hundred calls at once share one session id`() async throws {
        let url = try #require(URL(string: "http://localhost:9490/transmission/rpc"))
        let (person, events) = (Person(), Events())
        let session = try session(url, person, events)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 { group.addTask { (try? await call(url, session).hasPrefix("200 ")) == true } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 100)
        #expect(person.asked == 0)
        #expect(events.count { if case .authenticated = $0 { true } else { false } } == 1)
        await session.invalidate(cancelling: true)
    }
}
