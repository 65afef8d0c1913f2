import Countersign
import CountersignTesting
import Foundation
import HTTPAuthentication
import HTTPTypes
import Keystone
import TestTurns
import Testing

/// The generated client of API keys, on sockets, with a server that reads its tokens from a field of its own.
@Suite(.takesTurns) struct APIKeyTests {
    @Test func `a key is taken in the field that the server reads, and a wrong one is the application's answer`() async throws {
        try await MockKeystone.run { (mock) async throws in
            let token = try await token(mock)
            for (key, field, expected) in [(token, "X-Auth-Token", 200), ("wrong", "X-Auth-Token", 401), (token, "X-API-Key", 401)]
            {
                await withSession { (session) async throws in
                    session.register(
                        APIKeyObserver(parameters: APIKeyParameters(key: key, servers: [mock.url], field: field)))
                    #expect(try await status(SessionRequest(HTTPRequest(url: mock.url)), session) == expected)
                }
            }
            #expect(mock.statistics.challenges == 2)
        }
    }

    /// Returns a token that the server has issued to a user.
    private func token(_ mock: MockKeystone) async throws -> String {
        var request = HTTPRequest(method: .post, url: mock.identityURL.appending(path: "auth/tokens"))
        request.headerFields[.contentType] = "application/json"
        let body = """
            {"auth": {"identity": {"methods": ["password"], "password":
              {"user": {"name": "alice", "domain": {"name": "Default"}, "password": "wonderland"}}}}}
            """
        var token: String?
        await withSession { session in
            let response = try await session.send(SessionRequest(request, body: .bytes(Array(body.utf8))))
            token = HTTPField.Name("X-Subject-Token").flatMap { response.head.headerFields[$0] }
            #expect(response.head.status.code == 201)
        }
        return try #require(token)
    }
}
