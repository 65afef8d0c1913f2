import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import SAMLECP
import Synchronization
import Testing

/// The lab, which a script has started. `COUNTERSIGN_LAB` names its folder, which contains `ca/root.crt`.
private let lab = ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"]

@Suite(.enabled(if: lab != nil, "set COUNTERSIGN_LAB to the folder of the running lab (../shared/lab/README.md)"))
struct `Sign-in without a browser at a service provider not written here` {
    /// Types one password after another, and repeats the last one.
    private final class ScriptedUser: SAMLECPPrompting {
        private let passwords: [String]
        private let seen = Mutex<[Int]>([])

        init(_ passwords: String...) { self.passwords = passwords }

        /// The number of refusals at each prompt for a password.
        var refusals: [Int] { seen.withLock { $0 } }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let count = seen.withLock { seen in
                seen.append(prompt.refusals)
                return seen.count
            }
            return passwords.prefix(count).last.map { ("alice", $0) }
        }
    }

    /// Counts the logins of a session.
    private final class Logins: SessionEventObserver {
        private let counter = Mutex(0)

        var count: Int { counter.withLock { $0 } }

        func observe(_ event: SessionEvent) { if case .authenticated = event.kind { counter.withLock { $0 += 1 } } }
    }

    /// The response of the service provider.
    private struct Answer: Decodable {
        let user: String?
        let method: String
        let bodyLength: Int
    }

    private let server = "https://sp.localhost:9443"
    private let identityProvider = "https://idp.localhost:9444/simplesaml/saml2/idp/SSOService.php"

    /// Runs a function with a session, and then ends the session.
    private func run(
        user: String = "alice", password: String? = "wonderland", _ prompting: ScriptedUser? = nil,
        _ body: (Session, Logins) async throws -> Void
    ) async throws {
        let logins = Logins()
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .file("\(try #require(lab))/ca/root.crt")
        var configuration = SessionConfiguration()
        configuration.eventObservers = [logins]
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        let parameters = SAMLECPParameters(
            servers: try ProtectedOrigins([try #require(URL(string: server))]),
            identityProviderURL: try #require(URL(string: identityProvider)), user: password.map { _ in user },
            password: password)
        session.register(SAMLECPObserver(parameters: parameters, prompting: prompting))
        do {
            try await body(session, logins)
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
    }

    private func send(
        _ path: String, _ session: Session, _ method: HTTPRequest.Method = .get, body: RequestBody = .none
    ) async throws -> (status: Int, body: Data) {
        let request = HTTPRequest(method: method, url: try #require(URL(string: server + path)))
        let response = try await session.send(SessionRequest(request, body: body))
        return (response.head.status.code, Data(try await response.body.collect(upTo: 1 << 20)))
    }

    private func answer(
        _ session: Session, _ method: HTTPRequest.Method = .get, body: RequestBody = .none
    ) async throws -> Answer {
        let (status, body) = try await send("/api/", session, method, body: body)
        try #require(status == 200)
        return try JSONDecoder().decode(Answer.self, from: body)
    }

    private func code(_ session: Session) async -> CountersignError.Code? {
        do {
            _ = try await answer(session)
            return nil
        } catch {
            return (error as? CountersignError)?.code
        }
    }

    @Test(arguments: [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `a user signs in once for several requests`(_ user: String, _ password: String) async throws {
        try await run(user: user, password: password) { (session, logins) async throws in
            for _ in 0..<3 { #expect(try await answer(session).user == user) }
            #expect(logins.count == 1)
        }
    }

    @Test func `a wrong password is asked for again, and given up after three times`() async throws {
        let better = ScriptedUser("not the password", "wonderland")
        try await run(password: nil, better) { (session, _) async throws in
            #expect(try await answer(session).user == "alice")
            #expect(better.refusals == [0, 1])
        }
        let forgetful = ScriptedUser("not the password")
        try await run(password: nil, forgetful) { (session, _) async throws in
            #expect(await code(session) == .refusedByServer)
            #expect(forgetful.refusals == [0, 1, 2])
        }
    }

    @Test func `a wrong password of the parameters is refused`() async throws {
        try await run(password: "not the password") { (session, logins) async throws in
            do {
                _ = try await answer(session)
                Issue.record("the sign-in went through with a wrong password")
            } catch let error as CountersignError {
                #expect(error.code == .refusedByServer)
                #expect(error.authenticationMethod == "SAMLECP")
                #expect(error.origin?.description == "https://idp.localhost:9444")
                #expect(!error.description.contains("not the password"))
            }
            #expect(logins.count == 0)
        }
    }

    @Test func `a session that the server has ended is begun again`() async throws {
        try await run { (session, logins) async throws in
            #expect(try await answer(session).user == "alice")
            // The service provider ends its session after that of the identity provider, and redirects to its public page.
            let logout = try await send("/mellon/logout?ReturnTo=https%3A%2F%2Fsp.localhost%3A9443%2F", session)
            #expect(logout.status == 200 && String(decoding: logout.body, as: UTF8.self) == "public\n")
            #expect(logins.count == 1)
            #expect(try await answer(session).user == "alice")
            #expect(logins.count == 2)
        }
    }

    @Test func `a POST is sent again with its body`() async throws {
        try await run { (session, logins) async throws in
            let received = try await answer(session, .post, body: .text("hello, provider"))
            #expect(received.user == "alice")
            #expect(received.method == "POST")
            #expect(received.bodyLength == 15)
            #expect(logins.count == 1)
        }
    }

    @Test func `a page that the user may not see stays forbidden, and takes one login`() async throws {
        try await run { (session, logins) async throws in
            for _ in 0..<2 { #expect(try await send("/admin/", session).status == 403) }
            #expect(logins.count == 1)
            #expect(try await answer(session).user == "alice")
            #expect(logins.count == 1)
        }
    }

    @Test func `the cookies of both servers are kept apart from those of the session`() async throws {
        try await run { (session, _) async throws in
            #expect(try await answer(session).user == "alice")
            #expect(!session.cookies.all.contains { $0.name.hasPrefix("SimpleSAML") || $0.name == "mellon-labsession" })
        }
    }

    @Test func `ten simultaneous requests take one login`() async throws {
        try await run { (session, logins) async throws in
            try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<10 { group.addTask { try await answer(session).user } }
                for try await user in group { #expect(user == "alice") }
            }
            #expect(logins.count == 1)
        }
    }
}
