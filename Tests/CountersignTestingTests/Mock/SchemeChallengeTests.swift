import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import NIOHTTP1
import TestTurns
import Testing

/// A landscape whose challenge is an authentication scheme: the mock offers it, and a real session recognises it.
@Suite(.takesTurns) struct SchemeChallengeTests {
    /// Makes a landscape with a scheme's challenge, whose values come from the parameters, as they can in a spec.
    private func landscape(
        _ scheme: String = "Bearer", in field: AuthenticationChallenge.Field = .wwwAuthenticate, status: Int = 401,
        error: String = "invalid_token"
    ) -> SampleLandscape {
        let condition = ChallengePattern.Scheme(
            scheme, in: field,
            parameters: [
                ChallengePattern.Named("realm", .equals("x")),
                ChallengePattern.Named("error", .equals(ProgramTemplate(.text(error)))),
            ])
        return SampleLandscape(rules: .described, statuses: [status], schemes: [condition])
    }

    /// Requests a resource from the mock of one landscape, with an observer of another.
    private func answer(of server: SampleLandscape, to client: SampleLandscape) async throws -> (head: HTTPResponse, logins: Int) {
        try await MockLandscape.run(server.landscape, rules: server.rules) { mock in
            var configuration = SessionConfiguration()
            configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(client.observer(at: mock.baseURL))
            let request = HTTPRequest(
                method: .get, scheme: "http", authority: "127.0.0.1:\(mock.baseURL.port ?? 0)", path: "/resource")
            do {
                let response = try await session.send(SessionRequest(request))
                _ = try await response.body.collect(upTo: 64 * 1024)
                await session.invalidate(cancelling: true)
                return (response.head, mock.statistics.logins)
            } catch {
                await session.invalidate(cancelling: true)
                throw error
            }
        }
    }

    @Test func `the mock answers with the described scheme and its parameters`() async throws {
        try await withMock(landscape()) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 401)
            #expect(answer.headers["WWW-Authenticate"] == [#"Bearer error="invalid_token", realm="x""#])
        }
        try await withMock(landscape("Digest", in: .proxyAuthenticate, status: 407)) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 407)
            #expect(answer.headers["Proxy-Authenticate"] == [#"Digest error="invalid_token", realm="x""#])
        }
    }

    @Test func `a description with any kind of match is served with what agrees`() async throws {
        let condition = ChallengePattern.Scheme(
            "Bearer",
            parameters: [
                ChallengePattern.Named("a", .present), ChallengePattern.Named("b", .prefix("p \"")),
                ChallengePattern.Named("c", .contains("\\")),
            ])
        let sample = SampleLandscape(rules: .described, statuses: [401], schemes: [condition])
        let (head, logins) = try await answer(of: sample, to: sample)
        #expect(head.status == .ok && logins == 1)
    }

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `the session recognises the challenge and signs in`(scheme: String) async throws {
        let (head, logins) = try await answer(of: landscape(), to: landscape(scheme))
        #expect(head.status == .ok)
        #expect(logins == 1)
    }

    @Test func `another scheme, field or parameter is no challenge, and the answer arrives as it is`() async throws {
        for other in [
            landscape("Basic"), landscape(in: .proxyAuthenticate), landscape(error: "insufficient_scope"), landscape(status: 403),
        ] {
            let (head, logins) = try await answer(of: landscape(), to: other)
            #expect(head.status == .unauthorized)
            #expect(AuthenticationChallenge.challenges(in: head.headerFields).first?["error"] == "invalid_token")
            #expect(logins == 0)
        }
    }
}
