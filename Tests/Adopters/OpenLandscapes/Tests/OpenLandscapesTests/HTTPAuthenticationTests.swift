import Countersign
import Foundation
import HTTPAuthentication
import HTTPTypes
import HTTPTypesFoundation
import Synchronization
import Testing

/// Digest and Basic at lighttpd and Apache.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct HTTPAuthenticationTests {
    private final class Person: HTTPDigestPrompting, HTTPBasicPrompting {
        private let user: String
        private let passwords: [String]
        private let count = Mutex(0)

        init(_ user: String, _ passwords: String...) {
            self.user = user
            self.passwords = passwords
        }

        var asked: Int { count.withLock { $0 } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            return number < passwords.count ? (user, passwords[number]) : nil
        }
    }

    private func session(_ port: Int, _ person: Person) throws -> Session {
        let server = try ProtectedOrigins([try #require(URL(string: "https://localhost:\(port)"))])
        return try Lab.session(
            HTTPDigestObserver(parameters: HTTPDigestParameters(servers: server), prompting: person),
            HTTPBasicObserver(parameters: HTTPBasicParameters(servers: server), prompting: person))
    }

    private func call(_ address: String, _ session: Session) async throws -> String {
        let url = try #require(URL(string: address))
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        return "\(response.head.status.code) " + String(decoding: try await response.body.collect(upTo: 65536), as: UTF8.self)
    }

    @Test(arguments: ["md5", "sha256", "both", "userhash"], [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `lighttpd lets each of its users in, by each of its algorithms`(_ area: String, _ login: (String, String)) async throws {
        let person = Person(login.0, login.1)
        let session = try session(9498, person)
        for _ in 0..<3 {
            let answer = try await call("https://localhost:9498/\(area)/", session)
            #expect(answer.hasPrefix("200 "), "\(area): \(answer)")
        }
        #expect(person.asked == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `Apache's nonces expire, and the user is not asked again`() async throws {
        let person = Person("alice", "wonderland")
        let session = try session(9499, person)
        #expect(try await call("https://localhost:9499/short/", session).hasPrefix("200 "))
        try await Task.sleep(for: .seconds(4))
        #expect(try await call("https://localhost:9499/short/", session).hasPrefix("200 "))
        #expect(person.asked == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `Apache takes a nonce for one request, and twenty at once pass`() async throws {
        let person = Person("alice", "wonderland")
        let session = try session(9499, person)
        let passed = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 {
                group.addTask { (try? await call("https://localhost:9499/once/index.php", session).hasPrefix("200 ")) == true }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(passed == 20)
        #expect(person.asked == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `a nonce that is always stale ends in an error`() async throws {
        let session = try session(9499, Person("alice", "wonderland"))
        await #expect(throws: CountersignError.self) { _ = try await call("https://localhost:9499/once/", session) }
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is asked for again, and given up after three`() async throws {
        let better = Person("alice", "wrong", "wonderland")
        let session = try session(9498, better)
        #expect(try await call("https://localhost:9498/sha256/", session).hasPrefix("200 "))
        #expect(better.asked == 2)
        await session.invalidate(cancelling: true)

        let forgetful = Person("alice", "a", "b", "c", "d")
        let other = try self.session(9498, forgetful)
        await #expect(throws: CountersignError.self) { _ = try await call("https://localhost:9498/sha256/", other) }
        #expect(forgetful.asked == 3)
        await other.invalidate(cancelling: true)
    }
}
