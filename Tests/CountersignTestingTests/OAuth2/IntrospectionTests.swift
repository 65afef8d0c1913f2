import CountersignTesting
import Foundation
import TestTurns
import Testing

/// Token introspection by services (RFC 7662).
@Suite(.takesTurns) struct IntrospectionTests {
    private static func ask(
        _ caller: OAuth2Caller, _ token: String?, _ changes: [String: String] = [:],
        as proof: OAuth2Caller.Proof = OAuth2Caller.service
    ) async throws -> RawClient.Answer {
        try await caller.post(["token": token ?? ""].merging(changes) { $1 }, as: proof, to: caller.server.introspectionEndpoint)
    }

    private static func members(_ answer: RawClient.Answer) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
    }

    @Test func `RFC 7662 2.2: of a good token the server says whose it is, what for, and for how long`() async throws {
        try await withServer { (caller, server) async throws in
            let answer = try await Self.ask(caller, try await caller.tokens().access_token)
            #expect(answer.status == 200)
            let members = try Self.members(answer)
            #expect(members["active"] as? Bool == true)
            #expect(members["scope"] as? String == "read write")
            #expect(members["client_id"] as? String == "app")
            #expect(members["username"] as? String == "alice" && members["sub"] as? String == "alice")
            #expect(members["iss"] as? String == server.baseURL.absoluteString)
            #expect(members["aud"] as? [String] == [server.baseURL.absoluteString])
            #expect(members["token_type"] as? String == "Bearer" && members["cnf"] == nil)
            let issued = try #require(members["iat"] as? Int)
            #expect(members["exp"] as? Int == issued + 3600)
            #expect(server.statistics.introspections == 1)
        }
    }

    @Test func `RFC 7662 2.1: a refresh token can be asked for, too, whatever the hint says`() async throws {
        try await withServer { (caller, _) async throws in
            let tokens = try await caller.tokens()
            let answer = try await Self.ask(caller, tokens.refresh_token, ["token_type_hint": "access_token"])
            let members = try Self.members(answer)
            #expect(members["active"] as? Bool == true && members["token_type"] == nil)
            _ = try await caller.refresh(tokens.refresh_token)
            #expect(try Self.members(try await Self.ask(caller, tokens.refresh_token))["active"] as? Bool == false)
        }
    }

    @Test func `RFC 7662 2.2: of a token that is not good nothing is said but that`() async throws {
        try await withServer { (caller, server) async throws in
            let revoked = try await caller.tokens().access_token
            _ = try await caller.revoke(revoked)
            let expired = try await caller.tokens().access_token
            server.advance(by: .seconds(3600))
            for token in [revoked, expired, "unknown", "\u{212A}"] {
                let answer = try await Self.ask(caller, token)
                #expect(answer.status == 200)
                #expect(String(decoding: answer.bytes, as: UTF8.self) == #"{"active":false}"#)
            }
        }
    }

    @Test func `RFC 7662 2.1: a client proves who it is, and one without a secret cannot`() async throws {
        try await withServer { (caller, server) async throws in
            let token = try await caller.tokens().access_token
            for (changes, proof) in [
                ([:], OAuth2Caller.Proof.none), (["client_id": "app"], .none), ([:], .basic("service%3A1:wrong")),
            ] as [([String: String], OAuth2Caller.Proof)] {
                let answer = try await Self.ask(caller, token, changes, as: proof)
                #expect(answer.status == 401)
                #expect(try answer.oauth.error == "invalid_client")
            }
            #expect(try await Self.ask(caller, nil).oauth.error == "invalid_request")
            #expect(server.statistics.introspections == 0)
        }
    }

    @Test func `answers can be made wrong`() async throws {
        try await withServer { (caller, server) async throws in
            let token = try await caller.tokens().access_token
            server.inject(MockIntrospectionFault.introspection(["active": "\"true\"", "sub": nil]))
            let members = try Self.members(try await Self.ask(caller, token))
            #expect(members["active"] as? String == "true" && members["sub"] == nil)
            server.inject(MockIntrospectionFault.introspectionBody("no JSON"))
            #expect(String(decoding: try await Self.ask(caller, token).bytes, as: UTF8.self) == "no JSON")
            server.inject(MockIntrospectionFault.introspectionStatus(503), times: 2)
            #expect(try await Self.ask(caller, token).status == 503)
            server.removeFaults()
            #expect(try await Self.ask(caller, token).status == 200)
        }
    }
}
