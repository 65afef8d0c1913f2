import Countersign
import Foundation
import HTTPAuthentication
import HTTPTypes
import HTTPTypesFoundation
import Keystone
import Synchronization
import Testing

/// OpenStack keystone, which issues tokens and accepts them.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct KeystoneTests {
    /// Types one answer after another, and repeats the last one.
    private final class Person: KeystonePasswordPrompting {
        private struct Refusals {
            var passwords: [Int] = []
            var passcodes: [Int] = []
        }

        private let passwords: [String]
        private let passcodes: [String]
        private let refusals = Mutex(Refusals())

        init(passwords: [String] = [], passcodes: [String] = []) {
            self.passwords = passwords
            self.passcodes = passcodes
        }

        /// The number of refusals at each prompt for a password.
        var passwordRefusals: [Int] { refusals.withLock { $0.passwords } }
        /// The number of refusals at each prompt for a passcode.
        var passcodeRefusals: [Int] { refusals.withLock { $0.passcodes } }

        func password(for prompt: CredentialPrompt) async throws -> String? {
            let count = refusals.withLock { refusals in
                refusals.passwords.append(prompt.refusals)
                return refusals.passwords.count
            }
            return passwords.prefix(count).last
        }

        func passcode(for prompt: CredentialPrompt) async throws -> String? {
            let count = refusals.withLock { refusals in
                refusals.passcodes.append(prompt.refusals)
                return refusals.passcodes.count
            }
            return passcodes.prefix(count).last
        }
    }

    private struct Answer: Decodable {
        struct User: Decodable { let name: String }

        let user: User
    }

    private static let identity = "https://localhost:9493/v3"
    /// The secret key of the passcodes of the user `mfa`.
    private static let totpSecret = "NRQWE43FMNZGK5DMMFRHGZLDOJSXIMJS"

    private func session(
        user: String, password: String?, project: String? = "lab", totpSecret: String? = nil, person: Person? = nil,
        events: Events = Events()
    ) throws -> Session {
        let url = try #require(URL(string: Self.identity))
        return try Lab.session(
            KeystonePasswordObserver(
                parameters: KeystonePasswordParameters(
                    identityURL: url, cloud: try ProtectedOrigins([url]), user: user, password: password, project: project,
                    totpSecret: totpSecret),
                prompting: person),
            events: [events],
            // The server has three processes, each of which serves one connection at a time, even an idle one.
            connections: 2)
    }

    private func call(_ path: String, _ session: Session) async throws -> (status: Int, body: Data) {
        let url = try #require(URL(string: "\(Self.identity)/\(path)"))
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        return (response.head.status.code, Data(try await response.body.collect(upTo: 1 << 20)))
    }

    /// Returns the name that a user reads at the user's own URL.
    private func name(of user: String, _ session: Session) async throws -> String {
        let file = URL(filePath: try #require(Lab.folder)).appending(path: "keystone/\(user).id")
        let id = String(decoding: try Data(contentsOf: file), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let (status, body) = try await call("users/\(id)", session)
        try #require(status == 200)
        return try JSONDecoder().decode(Answer.self, from: body).user.name
    }

    private func code(_ session: Session) async -> CountersignError.Code? {
        do {
            _ = try await call("auth/projects", session)
            return nil
        } catch {
            return (error as? CountersignError)?.code
        }
    }

    private func logins(_ events: Events) -> Int { events.count { if case .authenticated = $0 { true } else { false } } }

    @Test(arguments: [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `a user signs in once, and sees their own name`(_ user: String, _ password: String) async throws {
        let events = Events()
        let session = try session(user: user, password: password, events: events)
        for _ in 0..<2 { #expect(try await name(of: user, session) == user) }
        #expect(logins(events) == 1)
        #expect(events.count { if case .resent = $0 { true } else { false } } == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `a second factor is computed from its key`() async throws {
        let (person, events) = (Person(), Events())
        let session = try session(
            user: "mfa", password: "wonderland", totpSecret: Self.totpSecret, person: person, events: events)
        for _ in 0..<2 { #expect(try await name(of: "mfa", session) == "mfa") }
        #expect(logins(events) == 1)
        #expect(person.passwordRefusals.isEmpty && person.passcodeRefusals.isEmpty)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong passcode is asked for again, and given up after three`() async throws {
        let person = Person(passcodes: ["wrong"])
        let session = try session(user: "mfa", password: "wonderland", person: person)
        #expect(await code(session) == .refusedByServer)
        #expect(person.passcodeRefusals == [0, 1, 2])
        #expect(person.passwordRefusals.isEmpty)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is asked for again, and given up after three`() async throws {
        let better = Person(passwords: ["wrong", "wonderland"])
        let session = try session(user: "alice", password: nil, person: better)
        #expect(try await name(of: "alice", session) == "alice")
        #expect(better.passwordRefusals == [0, 1])
        await session.invalidate(cancelling: true)

        let forgetful = Person(passwords: ["wrong"])
        let other = try self.session(user: "alice", password: nil, person: forgetful)
        #expect(await code(other) == .refusedByServer)
        #expect(forgetful.passwordRefusals == [0, 1, 2])
        await other.invalidate(cancelling: true)
    }

    @Test func `a wrong password of the parameters is refused by the Identity service`() async throws {
        let session = try session(user: "alice", password: "wrong")
        #expect(await code(session) == .refusedByServer)
        await session.invalidate(cancelling: true)
    }

    @Test(arguments: [("lab", 200), (nil, 403)] as [(String?, Int)])
    func `a token for a project shows its services, and one for none does not`(_ project: String?, _ status: Int) async throws {
        let events = Events()
        let session = try session(user: "alice", password: "wonderland", project: project, events: events)
        for _ in 0..<2 { #expect(try await call("auth/catalog", session).status == status) }
        #expect(logins(events) == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `an expired token is replaced before the next request`() async throws {
        let lifetime = try #require(ProcessInfo.processInfo.environment["LAB_KEYSTONE_TTL"].flatMap { Int($0) })
        let events = Events()
        let session = try session(user: "alice", password: "wonderland", events: events)
        #expect(try await name(of: "alice", session) == "alice")
        try await Task.sleep(for: .seconds(lifetime + 1))
        #expect(try await name(of: "alice", session) == "alice")
        #expect(logins(events) == 2)
        // The second login needed no challenge.
        #expect(events.count { if case .resent = $0 { true } else { false } } == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `twenty requests at once take one login`() async throws {
        let lifetime = try #require(ProcessInfo.processInfo.environment["LAB_KEYSTONE_TTL"].flatMap { Double($0) })
        let events = Events()
        let session = try session(
            user: "mfa", password: "wonderland", totpSecret: Self.totpSecret, events: events)
        let start = ContinuousClock.now
        let results = await withTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask { do { return "\(try await call("auth/projects", session).status)" } catch { return "\(error)" } }
            }
            return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        #expect(results == ["200": 20])
        // On a busy machine the requests can take longer than the lifetime of a token, which is renewed from half of that time
        // on.
        let halves = (ContinuousClock.now - start) / .seconds(lifetime / 2)
        #expect(logins(events) <= 1 + Int(halves))
        await session.invalidate(cancelling: true)
    }

    @Test func `a token of another source is a key, in the field that the server reads`() async throws {
        let cloud = try ProtectedOrigins([try #require(URL(string: Self.identity))])
        let login = try #require(URL(string: "\(Self.identity)/auth/tokens"))
        var request = HTTPRequest(method: .post, url: login)
        request.headerFields[.contentType] = "application/json"
        let body = """
            {"auth": {"identity": {"methods": ["password"], "password":
              {"user": {"name": "alice", "domain": {"name": "Default"}, "password": "wonderland"}}}}}
            """
        let plain = try Lab.session(APIKeyObserver(parameters: APIKeyParameters(key: "none", servers: cloud)))
        let response = try await plain.send(SessionRequest(request, body: .bytes(Array(body.utf8))))
        let name = try #require(HTTPField.Name("X-Subject-Token"))
        let token = try #require(response.head.headerFields[name])
        await plain.invalidate(cancelling: true)
        for (key, status) in [(token, 200), ("wrong", 401)] {
            let session = try Lab.session(
                APIKeyObserver(parameters: APIKeyParameters(key: key, servers: cloud, field: "X-Auth-Token")))
            #expect(try await call("auth/projects", session).status == status)
            await session.invalidate(cancelling: true)
        }
    }
}
