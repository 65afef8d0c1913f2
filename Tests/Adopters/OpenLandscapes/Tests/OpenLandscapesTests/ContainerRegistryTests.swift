import ContainerRegistry
import Countersign
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Testing

/// docker-registry and its token server: what skopeo may do there, this client may do, and no more.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct ContainerRegistryTests {
    private func session(user: String? = nil, password: String? = nil) throws -> Session {
        let registry = try #require(URL(string: "https://localhost:9494"))
        let tokenServer = try #require(URL(string: "https://localhost:9495"))
        return try Lab.session(
            RegistryTokenObserver(
                parameters: RegistryTokenParameters(
                    registries: try ProtectedOrigins([registry]), tokenServers: try ProtectedOrigins([tokenServer]), user: user,
                    password: password)))
    }

    private func call(_ path: String, _ session: Session, _ method: HTTPRequest.Method = .get) async throws -> Int {
        let url = try #require(URL(string: "https://localhost:9494/v2/\(path)"))
        let response = try await session.send(SessionRequest(HTTPRequest(method: method, url: url)))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.head.status.code
    }

    private func code(_ body: () async throws -> Int) async -> CountersignError.Code? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? CountersignError)?.code
        }
    }

    @Test func `a user pulls and pushes below their name, side by side`() async throws {
        let session = try session(user: "alice", password: "wonderland")
        for _ in 0..<2 {
            // 404: nothing is there yet, and who asks may know it.
            #expect([200, 404].contains(try await call("alice/tiny/tags/list", session)))
            #expect(try await call("alice/tiny/blobs/uploads/", session, .post) == 202)
        }
        #expect(try await call("", session) == 200)
        await session.invalidate(cancelling: true)
    }

    @Test func `a user with a name beyond ASCII signs in, and may not push elsewhere`() async throws {
        let session = try session(user: "jürgen", password: "pässwörd€")
        #expect([200, 404].contains(try await call("alice/tiny/tags/list", session)))
        #expect(await code { try await call("alice/tiny/blobs/uploads/", session, .post) } == .challengedAgain)
        #expect([200, 404].contains(try await call("alice/tiny/tags/list", session)))
        await session.invalidate(cancelling: true)
    }

    @Test func `nobody pulls what is public, and nothing else`() async throws {
        let session = try session()
        #expect([200, 404].contains(try await call("public/tiny/tags/list", session)))
        #expect(await code { try await call("alice/tiny/tags/list", session) } == .challengedAgain)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is refused by the token server`() async throws {
        let session = try session(user: "alice", password: "wrong")
        #expect(await code { try await call("alice/tiny/tags/list", session) } == .refusedByServer)
        await session.invalidate(cancelling: true)
    }
}
