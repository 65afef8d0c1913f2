import Countersign
import CountersignAsyncHTTPClient
import CountersignFileStore
import CountersignFoundation
import CountersignTesting
import Foundation
import HTTPTypes
import OAuth
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The claims of the guides that no other test proves.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct `Claims of the guides` {
    /// The kinds of events of a session.
    private final class Events: SessionEventObserver {
        private let kinds = Mutex<[SessionEvent.Kind]>([])

        func observe(_ event: SessionEvent) { kinds.withLock { $0.append(event.kind) } }
        func count(_ kind: SessionEvent.Kind) -> Int { kinds.withLock { $0.filter { $0 == kind }.count } }
    }

    private func withFolder(_ test: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "claims-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await test(folder)
    }

    private func client(
        of server: MockAuthorizationServer, _ store: any CredentialStore, presenter: (any WebPresenter)?,
        _ events: Events = Events()
    ) throws -> NotesClient {
        var configuration = SessionConfiguration()
        configuration.presenter = presenter
        configuration.eventObservers = [events]
        return NotesClient(
            api: server.baseURL, parameters: try parameters(of: server), configuration: configuration, store: store)
    }

    private let user = FormFillingPresenter(user: "alice", password: "wonderland")

    @Test func `a store with another key leads to a login that is not stored, and nothing is overwritten`() async throws {
        try await withFolder { folder in
            try await MockAuthorizationServer.run { server in
                let key = StoreKey.random()
                _ = try await client(of: server, EncryptedFileStore(folder: folder, key: key), presenter: user).notes()
                let events = Events()
                let other = EncryptedFileStore(folder: folder, key: StoreKey.random())
                _ = try await client(of: server, other, presenter: user, events).notes()
                #expect(server.statistics.loginForms == 2)
                #expect(events.count(.notStored) > 0)
                // The first key still opens the stored data.
                _ = try await client(of: server, EncryptedFileStore(folder: folder, key: key), presenter: nil).notes()
                #expect(server.statistics.loginForms == 2)
            }
        }
    }

    @Test func `a process without a presenter fails until another one has stored a login`() async throws {
        try await withFolder { folder in
            try await MockAuthorizationServer.run { server in
                let key = StoreKey.random()
                let quiet = try client(of: server, EncryptedFileStore(folder: folder, key: key), presenter: nil)
                let error = await #expect(throws: CountersignError.self) { _ = try await quiet.notes() }
                #expect(error?.code == .noPresenter)
                _ = try await client(of: server, EncryptedFileStore(folder: folder, key: key), presenter: user).notes()
                _ = try await quiet.notes()
                #expect(server.statistics.loginForms == 1)
            }
        }
    }

    @Test func `the retry that the guide replaces sends one refresh token several times, and what replaces it once`() async throws {
        try await MockAuthorizationServer.run { server in
            let store = MemoryCredentialStore()
            let client = SessionClient(parameters: try parameters(of: server), presenter: user, store: store)
            let request = URLRequest(url: server.baseURL.appending(path: "notes"))
            _ = try await client.data(for: request)
            server.expireAccessTokens()
            server.hold("/notes", until: 10)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { _ = try await client.data(for: request) } }
                try await group.waitForAll()
            }
            #expect(server.statistics.refreshes == 1)
            #expect(server.statistics.refreshTokenReuses == 0)
            client.session.invalidateAndCancel()
        }
        // The earlier code, which obtains its first tokens by other means, sends a refresh token for each request.
        try await MockAuthorizationServer.run { server in
            let (accessToken, refreshToken) = try await tokens(of: server)
            let client = RetryingClient(tokenURL: server.tokenEndpoint, accessToken: accessToken, refreshToken: refreshToken)
            server.expireAccessTokens()
            server.hold("/notes", until: 5)
            let request = URLRequest(url: server.baseURL.appending(path: "notes"))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { _ = try? await client.data(for: request) } }
            }
            // All renewals carry the same refresh token, which moreover contains characters that a form must escape, so the
            // server knows none.
            #expect(server.statistics.tokenRequests[.refreshToken] == 5)
            #expect(server.statistics.refusals == ["invalid_grant": 5])
        }
    }

    /// Returns the tokens of a login, as the response contains them.
    private func tokens(of server: MockAuthorizationServer) async throws -> (access: String, refresh: String) {
        struct Answer: Decodable {
            let access_token: String
            let refresh_token: String
        }
        let seen = Mutex<Answer?>(nil)
        let network = AsyncHTTPClientTransport()
        let transport = AnsweringTransport { request in
            let response = try await network.send(request)
            guard request.head.url == server.tokenEndpoint else { return response }
            let bytes = try await response.body.collect(upTo: 1 << 16)
            let answer = try JSONDecoder().decode(Answer.self, from: Data(bytes))
            seen.withLock { $0 = answer }
            return SessionResponse(head: response.head, url: response.url, body: ResponseBody(bytes: bytes))
        }
        var configuration = SessionConfiguration()
        configuration.presenter = user
        let client = NotesClient(
            api: server.baseURL, parameters: try parameters(of: server), configuration: configuration, transport: transport)
        _ = try await client.notes()
        try await network.shutdown()
        let answer = try #require(seen.withLock { $0 })
        return (answer.access_token, answer.refresh_token)
    }

    @Test func `a key file that is missing or too short is an error, and a store works with one that is there`() async throws {
        try await withFolder { folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "store-key")
            let store = EncryptedFileStore(folder: folder.appending(path: "credentials"), key: KeyFile(file: file))
            for bytes in [nil, Data(repeating: 1, count: 31)] {
                try bytes?.write(to: file)
                let error = await #expect(throws: CredentialStoreError.self) {
                    try await store.write(SecretBytes(utf8: "secret"), for: "name", replacing: nil)
                }
                #expect(error?.code == .keyUnavailable)
            }
            try Data(repeating: 1, count: 32).write(to: file)
            _ = try await store.write(SecretBytes(utf8: "secret"), for: "name", replacing: nil)
            #expect(try await store.read("name")?.secret == SecretBytes(utf8: "secret"))
        }
    }

    @Test func `a new client secret is used at once, and the next observer continues with the stored token`() async throws {
        try await MockAuthorizationServer.run { server in
            let (session, store) = (Session(transport: AsyncHTTPClientTransport()), MemoryCredentialStore())
            let former = ClientCredentialsObserver(
                parameters: ClientCredentialsParameters(
                    apis: [server.baseURL], tokenURL: server.tokenEndpoint, clientID: MockOAuth2Client.service.id,
                    clientSecret: "expired"),
                store: store)
            session.register(former)
            let request = SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "reports")))
            await #expect(throws: (any Error).self) { _ = try await session.send(request) }
            let secret = try #require(MockOAuth2Client.service.secret)
            let next = replaceSecret(of: former, by: secret, in: session, store: store)
            #expect(try await session.send(request).head.status == .ok)
            _ = replaceSecret(of: next, by: "the one after it", in: session, store: store)
            #expect(try await session.send(request).head.status == .ok)
            #expect(server.statistics.tokenRequests[.clientCredentials] == 2)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a service behind Keycloak gets one token for all reports`() async throws {
        var options = MockOAuth2Options()
        options.openID = MockOpenIDOptions()
        options.clients.append(MockOAuth2Client(id: "reports", secret: "s3cret", grants: [.clientCredentials]))
        try await MockAuthorizationServer.run(options: options) { server in
            let reports = ReportsAPI(api: server.baseURL, realm: server.baseURL, clientID: "reports", clientSecret: "s3cret")
            for _ in 0..<2 { _ = try await reports.report("today") }
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
            await reports.session.invalidate(cancelling: true)
        }
    }

    @Test func `a login continues after an update that changes a parameter`() async throws {
        try await MockAuthorizationServer.run { server in
            let store = MemoryCredentialStore()
            let former = try parameters(of: server)
            _ = try await client(of: server, store, presenter: user).notes()
            var changed = former
            changed.loginHint = "alice"
            let (old, session) = (Session(transport: AsyncHTTPClientTransport()), Session(transport: AsyncHTTPClientTransport()))
            let formerObserver = AuthorizationCodeObserver(parameters: former, store: store)
            let observer = AuthorizationCodeObserver(parameters: changed, store: store)
            old.register(formerObserver)
            session.register(observer)
            #expect(try await observer.credential(in: session) == nil)
            let credential = try #require(try await formerObserver.credential(in: old))
            #expect(
                try await observer.adopt(
                    accessToken: credential.accessToken, refreshToken: credential.refreshToken, in: session))
            old.endSession()
            await old.invalidate(cancelling: false)
            let request = SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "notes")))
            #expect(try await session.send(request).head.status == .ok)
            #expect(server.statistics.loginForms == 1)
            #expect(server.statistics.revocations == 0)
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `a shutdown waits for what is under way, and cancels it when the time is over`() async throws {
        let release = AsyncStream.makeStream(of: Void.self)
        let begun = AsyncStream.makeStream(of: Void.self)
        let transport = AnsweringTransport { request in
            begun.continuation.yield()
            for await _ in release.stream {}
            try Task.checkCancellation()
            return SessionResponse(head: HTTPResponse(status: .ok), url: URL(filePath: "/"), body: ResponseBody())
        }
        let session = Session(transport: transport, ownsTransport: false)
        let url = try #require(URL(string: "https://api.example/"))
        let request = Task { try await session.send(SessionRequest(HTTPRequest(url: url))) }
        for await _ in begun.stream { break }
        await shutDown(session, within: .milliseconds(50))
        let error = await #expect(throws: CountersignError.self) { _ = try await request.value }
        #expect(error?.code == .sessionInvalidated)
        release.continuation.finish()
    }

    @Test func `health is the last login's, and a link to another server is none`() throws {
        let health = LoginHealth()
        health.observe(SessionEvent(.failed(code: "needs-challenge")))
        #expect(health.lastFailure == nil)
        health.observe(SessionEvent(.failed(code: "unreachable")))
        #expect(health.lastFailure == "unreachable")
        health.observe(SessionEvent(.renewed))
        #expect(health.lastFailure == nil)

        let page = try #require(URL(string: "https://api.example/notes?page=1"))
        #expect(nextPage("?page=2", of: page)?.absoluteString == "https://api.example/notes?page=2")
        #expect(nextPage("https://api.example.evil/notes?page=2", of: page) == nil)
        #expect(nextPage("//evil.example/notes", of: page) == nil)
    }
}
