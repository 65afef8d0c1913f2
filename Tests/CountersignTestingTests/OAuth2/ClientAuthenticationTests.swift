import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The authentication of clients, and the client credentials grant.
@Suite(.takesTurns) struct ClientAuthenticationTests {
    private let form = ["grant_type": "client_credentials"]
    private let secret = "s%3A+ &=:/?ü"

    private func withService(
        _ authentications: Set<MockOAuth2Client.Authentication>, id: String = "service:1",
        _ body: (OAuth2Caller, MockAuthorizationServer) async throws -> Void
    ) async throws {
        var service = MockOAuth2Client.service
        service.id = id
        service.authentications = authentications
        try await withServer(change: { $0.clients = [.app, service] }, body)
    }

    @Test func `RFC 6749 2.3.1: identifier and secret are encoded as in a form, then as Basic`() async throws {
        try await withService([.basic]) { (caller, _) async throws in
            #expect(try await caller.post(form, as: OAuth2Caller.service).status == 200)
            // Spaces as %20 and lower case digits are equivalent.
            #expect(try await caller.post(form, as: .basic("service%3a1:s%253A%2b%20%26%3D:%2F%3F%c3%bc")).status == 200)
            #expect(try await caller.post(form, as: .basic("service:1:\(secret)")).status == 401)
        }
    }

    @Test func `RFC 7617 2: a server that takes them raw takes them raw alone`() async throws {
        try await withService([.rawBasic], id: "service") { (caller, _) async throws in
            #expect(try await caller.post(form, as: .basic("service:\(secret)")).status == 200)
            #expect(try await caller.post(form, as: .basic("service:s%253A%2B+%26%3D%3A%2F%3F%C3%BC")).status == 401)
        }
    }

    @Test func `RFC 6749 2.3.1: the body counts for clients that are registered so`() async throws {
        let body = form.merging(["client_id": "service:1", "client_secret": secret]) { $1 }
        try await withService([.body]) { (caller, _) async throws in
            #expect(try await caller.post(body).status == 200)
            #expect(try await caller.post(form, as: OAuth2Caller.service).status == 401)
        }
        try await withService([.basic]) { (caller, _) async throws in
            #expect(try await caller.post(body).status == 401)
        }
    }

    @Test func `RFC 6749 2.3: two ways at once, or two clients, are a malformed request`() async throws {
        try await withService([.basic, .body]) { (caller, server) async throws in
            let both = form.merging(["client_id": "service:1", "client_secret": secret]) { $1 }
            let other = form.merging(["client_id": "app"]) { $1 }
            let same = form.merging(["client_id": "service:1"]) { $1 }
            #expect(try await caller.post(both, as: OAuth2Caller.service).oauth.error == "invalid_request")
            #expect(try await caller.post(other, as: OAuth2Caller.service).oauth.error == "invalid_request")
            #expect(try await caller.post(same, as: OAuth2Caller.service).status == 200)
            let twice = try await caller.client.send(
                .POST, server.tokenEndpoint.absoluteString,
                headers: [
                    "content-type": "application/x-www-form-urlencoded", "authorization": "Basic YTpi",
                    "authorization": "Basic YTpi",
                ], body: Array("grant_type=client_credentials".utf8))
            #expect(try twice.oauth.error == "invalid_request")
        }
    }

    @Test(arguments: [
        "Basic c2VydmljZTox", "Basic ***", "Basic", "Bearer c2VydmljZTE6eA==", "Basic c2VydmljZSUzQTE6d3Jvbmc=", "Basic Og==",
    ])
    func `RFC 6749 5.2: a client that fails to authenticate receives 401 with the schemes`(credential: String) async throws {
        try await withServer { (caller, server) async throws in
            for url in [server.tokenEndpoint, server.revocationEndpoint] {
                let answer = try await caller.client.send(
                    .POST, url.absoluteString,
                    headers: ["content-type": "application/x-www-form-urlencoded", "authorization": credential],
                    body: Array("grant_type=client_credentials&token=x".utf8))
                #expect(answer.status == 401)
                #expect(try answer.oauth.error == "invalid_client")
                #expect(answer.headers["www-authenticate"] == ["Basic realm=\"mock\", charset=\"UTF-8\""])
                #expect(answer.headers["cache-control"] == ["no-store"])
            }
            #expect(server.statistics.refusals == ["invalid_client": 2])
        }
    }

    @Test func `RFC 6749 5.2: a client that proves nothing is refused, with and without a name`() async throws {
        try await withServer { (caller, _) async throws in
            for more in [
                [:], ["client_id": "service:1"], ["client_id": "stranger"], ["client_id": "app", "client_secret": "x"],
                ["client_id": "service:1", "client_secret": "wrong"],
            ] {
                let answer = try await caller.post(form.merging(more) { $1 })
                #expect(answer.status == 401)
                #expect(try answer.oauth.error == "invalid_client")
            }
        }
    }

    @Test func `RFC 6749 4.4.3: a client gets a token for itself and no refresh token`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.post(form.merging(["scope": "read"]) { $1 }, as: OAuth2Caller.service).oauth
            #expect(tokens.refresh_token == nil)
            #expect(tokens.scope == "read")
            let answer = try await caller.resource(tokens.access_token)
            #expect(try JSONDecoder().decode(MockResource.self, from: Data(answer.bytes)).user == "service:1")
            #expect(server.statistics.tokenAnswers == [.clientCredentials: 1])
        }
    }

    @Test func `RFC 6749 4.4: a client without a secret cannot ask for itself`() async throws {
        let open = MockOAuth2Client(id: "open", grants: [.clientCredentials])
        try await withServer(change: { $0.clients = [open] }) { (caller, _) async throws in
            let answer = try await caller.post(form.merging(["client_id": "open"]) { $1 })
            #expect(try answer.oauth.error == "unauthorized_client")
        }
    }

    @Test func `RFC 6749 3.3: a scope that there is not, or that is malformed, is refused`() async throws {
        try await withServer { (caller, _) async throws in
            for scope in ["admin", "read ", "read\twrite"] {
                let answer = try await caller.post(form.merging(["scope": scope]) { $1 }, as: OAuth2Caller.service)
                #expect(try answer.oauth.error == "invalid_scope")
            }
        }
    }
}
