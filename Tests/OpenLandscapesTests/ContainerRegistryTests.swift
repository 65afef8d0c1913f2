import ContainerRegistry
import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

/// The generated client of container registries, on sockets.
@Suite(.takesTurns) struct ContainerRegistryTests {
    private func run(
        user: String? = nil, password: String? = nil, tokenServers: ProtectedOrigins? = nil, isAlone: Bool = false,
        _ body: (MockRegistry, Session) async throws -> Void
    ) async throws {
        try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
            await withSession { session in
                session.register(
                    RegistryTokenObserver(
                        parameters: RegistryTokenParameters(
                            registries: [mock.url], tokenServers: isAlone ? nil : tokenServers ?? [mock.tokenServer], user: user,
                            password: password)))
                try await body(mock, session)
            }
        }
    }

    private func call(_ path: String, _ mock: MockRegistry, _ session: Session, _ method: HTTPRequest.Method = .get) async throws
        -> Int
    {
        try await status(SessionRequest(HTTPRequest(method: method, url: mock.url.appending(path: path))), session)
    }

    @Test func `pulling and pushing have tokens of their own, side by side`() async throws {
        try await run(user: "alice", password: "wonderland") { (mock, session) async throws in
            for _ in 0..<2 {
                #expect(try await call("v2/alice/tiny/tags/list", mock, session) == 200)
                #expect(try await call("v2/alice/tiny/blobs/uploads/", mock, session, .post) == 200)
                #expect(try await call("v2/public/tiny/tags/list", mock, session) == 200)
            }
            #expect(
                mock.statistics.tokens == [
                    "repository:alice/tiny:pull": 1, "repository:alice/tiny:pull,push": 1, "repository:public/tiny:pull": 1,
                ])
            #expect(mock.statistics.sends == 9)
        }
    }

    @Test func `without a user what is public is pulled, and nothing else`() async throws {
        try await run { (mock, session) async throws in
            #expect(try await call("v2/public/tiny/tags/list", mock, session) == 200)
            #expect(await code { try await call("v2/alice/tiny/tags/list", mock, session) } == .challengedAgain)
            #expect(try await call("v2/public/tiny/tags/list", mock, session) == 200)
        }
    }

    @Test func `a wrong password is an error of the method, sent once`() async throws {
        try await run(user: "alice", password: "wrong") { (mock, session) async throws in
            #expect(await code { try await call("v2/alice/tiny/tags/list", mock, session) } == .refusedByServer)
            #expect(mock.statistics.refused == 1)
        }
    }

    @Test func `a hundred requests at once take one token`() async throws {
        try await run(user: "alice", password: "wonderland") { (mock, session) async throws in
            let gate = mock.hold(until: 100, limit: .seconds(120))
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<100 { group.addTask { try? await call("v2/alice/tiny/tags/list", mock, session) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 100))
            #expect(!gate.hasTimedOut)
            #expect(mock.statistics.tokens == ["repository:alice/tiny:pull": 1])
            #expect(mock.statistics.sends == 200)
        }
    }

    @Test func `without token servers, the registry is the only one`() async throws {
        try await run(user: "alice", password: "wonderland", isAlone: true) { (mock, session) async throws in
            #expect(await code { try await call("v2/alice/tiny/tags/list", mock, session) } == .addressRefused)
            #expect(mock.statistics.tokens.isEmpty)
            mock.sendAsRealm("\(mock.url)token")
            #expect(try await call("v2/alice/tiny/tags/list", mock, session) == 200)
            #expect(mock.statistics.tokens == ["repository:alice/tiny:pull": 1])
        }
    }

    @Test func `a token server that the application has not named gets no password`() async throws {
        let other = try ProtectedOrigins([try #require(URL(string: "https://tokens.example"))])
        try await run(user: "alice", password: "wonderland", tokenServers: other) { (mock, session) async throws in
            #expect(await code { try await call("v2/alice/tiny/tags/list", mock, session) } == .addressRefused)
            #expect(mock.statistics.tokens.isEmpty)
        }
    }
}
