import ContainerRegistry
import Countersign
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Testing

/// docker-registry and its token server: this client has the same access as skopeo.
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
            // 404: the repository does not exist yet, and the client is allowed to know that.
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

    @Test func `skopeo sees what this client pushes, and this client what skopeo copies`() async throws {
        let session = try session(user: "alice", password: "wonderland")
        let configuration = #"{"architecture":"amd64","os":"linux","config":{},"rootfs":{"type":"layers","diff_ids":[]}}"#
        let digest = "sha256:dc570f145a7f2862c9ef3c30b8d6ae2feaceb0d364e4b2e08e67ae18815427d9"
        let begun = try await send(.post, "alice/seen/blobs/uploads/", session)
        let place = try #require(begun.head.headerFields[.location].flatMap { URL(string: $0, relativeTo: begun.url) })
        let upload = place.appending(queryItems: [URLQueryItem(name: "digest", value: digest)])
        let stored = try await session.send(
            SessionRequest(HTTPRequest(method: .put, url: upload), body: .bytes(Array(configuration.utf8))))
        #expect(stored.head.status == .created)

        let manifest =
            #"{"schemaVersion":2,"mediaType":"\#(Self.manifestType)","config":"#
            + #"{"mediaType":"application/vnd.oci.image.config.v1+json","digest":"\#(digest)","size":\#(configuration.utf8.count)},"layers":[]}"#
        #expect(try await send(.put, "alice/seen/manifests/1", session, manifest).head.status == .created)

        let repository = "docker://localhost:9494/alice/seen"
        let image = "\(repository):1"
        #expect(try Lab.skopeo("inspect", "--raw", "--creds", "alice:wonderland", "--cert-dir", Self.trust, image) == manifest)
        let tags = try Lab.skopeo("list-tags", "--creds", "jürgen:pässwörd€", "--cert-dir", Self.trust, repository)
        #expect(tags.contains(#""1""#))
        _ = try Lab.skopeo(
            "copy", "--preserve-digests", "--src-creds", "alice:wonderland", "--dest-creds", "alice:wonderland", "--src-cert-dir",
            Self.trust, "--dest-cert-dir", Self.trust, image, "docker://localhost:9494/alice/copied:1")
        let copied = try await send(.get, "alice/copied/manifests/1", session)
        #expect(String(decoding: try await copied.body.collect(upTo: 1 << 20), as: UTF8.self) == manifest)
        await session.invalidate(cancelling: true)
    }

    private static let manifestType = "application/vnd.oci.image.manifest.v1+json"
    private static var trust: String { "\(Lab.folder ?? "")/registry/trust" }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ session: Session, _ body: String = ""
    ) async throws -> SessionResponse {
        let url = try #require(URL(string: "https://localhost:9494/v2/\(path)"))
        var request = HTTPRequest(method: method, url: url)
        request.headerFields[.accept] = Self.manifestType
        if !body.isEmpty { request.headerFields[.contentType] = Self.manifestType }
        return try await session.send(SessionRequest(request, body: body.isEmpty ? .none : .bytes(Array(body.utf8))))
    }
}
