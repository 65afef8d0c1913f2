import Countersign
import CountersignTesting
import CountersignURLSession
import Foundation
import FormLogin
import HTTPTypes
import OAuth
import TestTurns
import Testing

/// Logins over `URLSession`, against mock servers.
@Suite(.takesTurns, .timeLimit(.minutes(10)))
struct URLSessionLoginTests {
    private func withSession(_ body: (Session) async throws -> Void) async throws {
        let session = Session(transport: URLSessionTransport())
        let result: Result<Void, any Error>
        do { result = .success(try await body(session)) } catch { result = .failure(error) }
        await session.invalidate(cancelling: true)
        try result.get()
    }

    private func text(_ request: SessionRequest, _ session: Session) async throws -> String {
        let response = try await session.send(request)
        return "\(response.head.status.code) \(try await response.text())"
    }

    @Test(arguments: ["data", "api/data"])
    func `a form login is answered once for several requests, with the session's cookies`(path: String) async throws {
        try await MockFormLogin.run { (mock) async throws in
            try await withSession { (session) async throws in
                session.register(
                    FormLoginObserver(
                        parameters: FormLoginParameters(
                            loginURL: mock.loginURL, user: "alice", password: "wonderland", logoutURL: mock.logoutURL),
                        prompting: nil))
                let request = SessionRequest(HTTPRequest(method: .get, url: mock.url.appending(path: path)))
                for _ in 0..<3 { #expect(try await text(request, session) == "200 data\n") }
            }
            #expect(mock.statistics.challenges == 1)
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.answered == 3)
        }
    }

    /// The bodies of a call: in memory, and as a stream.
    private static let call = #"{"method":"core.get_torrents","params":[],"id":1}"#

    @Test(arguments: [false, true])
    func `a body is sent again after a challenge`(isStream: Bool) async throws {
        try await MockFormLogin.run { (mock) async throws in
            try await withSession { (session) async throws in
                session.register(
                    JSONRPCLoginObserver(
                        parameters: JSONRPCLoginParameters(url: mock.serviceURL, password: "wonderland"), prompting: nil))
                let body: RequestBody =
                    isStream
                    ? .restartable { Pieces { $0 == 0 ? Array(Self.call.utf8) : nil } } : .bytes(Array(Self.call.utf8))
                let request = SessionRequest(HTTPRequest(method: .post, url: mock.serviceURL), body: body)
                #expect(try await text(request, session) == #"200 {"id":1,"result":["data"],"error":null}"#)
            }
            #expect(mock.statistics.challenges == 1)
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.answered == 1)
        }
    }

    @Test func `many requests share one token`() async throws {
        try await MockAuthorizationServer.run(options: MockOAuth2Options()) { (server) async throws in
            try await withSession { (session) async throws in
                session.register(
                    ClientCredentialsObserver(
                        parameters: ClientCredentialsParameters(
                            apis: [server.baseURL], tokenURL: server.tokenEndpoint, clientID: MockOAuth2Client.service.id,
                            clientSecret: MockOAuth2Client.service.secret ?? "", scopes: "read")))
                let url = server.baseURL.appending(path: "data")
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            let response = try await session.send(SessionRequest(HTTPRequest(method: .get, url: url)))
                            _ = try await response.body.collect(upTo: 4096)
                            return response.head.status.code
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
            }
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
        }
    }
}
