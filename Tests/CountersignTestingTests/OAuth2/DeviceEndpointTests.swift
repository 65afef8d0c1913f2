import CountersignTesting
import Foundation
import TestTurns
import Testing

/// Devices without a browser, and users who authorize them (RFC 8628).
@Suite(.takesTurns) struct DeviceEndpointTests {
    private struct Codes: Decodable {
        var device_code: String
        var user_code: String
        var verification_uri: String
        var verification_uri_complete: String
        var expires_in: Int
        var interval: Int
    }

    private func codes(_ caller: OAuth2Caller, _ changes: [String: String] = [:]) async throws -> Codes {
        let answer = try await caller.post(["client_id": "television"].merging(changes) { $1 }, to: caller.server.deviceEndpoint)
        return try JSONDecoder().decode(Codes.self, from: Data(answer.bytes))
    }

    private func ask(_ caller: OAuth2Caller, _ code: String, as client: String = "television") async throws -> OAuth2Caller.Answer {
        try await caller.post([
            "client_id": client, "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code,
        ]).oauth
    }

    private func type(
        _ caller: OAuth2Caller, _ code: String, password: String = "wonderland", more: [String: String] = [:]
    ) async throws -> String {
        let address = try #require(URL(string: "\(caller.server.baseURL.absoluteString)/device?user_code=\(code)"))
        let page = try await caller.client.get(address)
        #expect(page.text.contains("value=\"\(code)\""))
        let form = ["user_code": code, "j_username": "alice", "j_password": password].merging(more) { $1 }
        return try await caller.client.post(
            caller.server.baseURL.absoluteString + (page.formAction ?? ""), form: form, cookies: []
        ).text
    }

    @Test func `RFC 8628 3.2: codes, pages, a lifetime and an interval`() async throws {
        try await withServer { (caller, server) async throws in
            let codes = try await codes(caller)
            #expect(codes.user_code.wholeMatch(of: /[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}/) != nil)
            #expect(codes.verification_uri == "\(server.baseURL.absoluteString)/device")
            #expect(codes.verification_uri_complete == "\(codes.verification_uri)?user_code=\(codes.user_code)")
            #expect(codes.expires_in == 600 && codes.interval == 1)
            #expect(try await self.codes(caller).device_code != codes.device_code)
            #expect(server.statistics.deviceAuthorizations == 2)
        }
    }

    @Test func `RFC 8628 3.3 and 3.5: a user types the code on the page, after which the device has tokens, once`() async throws {
        try await withServer { (caller, server) async throws in
            let codes = try await codes(caller, ["scope": "read"])
            #expect(try await ask(caller, codes.device_code).error == "authorization_pending")
            #expect(try await type(caller, codes.user_code, password: "wrong").contains("wrong"))
            #expect(try await type(caller, codes.user_code).contains("Connected"))
            #expect(try await type(caller, codes.user_code).contains("No device is waiting"))
            server.advance(by: .seconds(1))
            let tokens = try await ask(caller, codes.device_code)
            #expect(tokens.scope == "read" && tokens.refresh_token != nil)
            #expect(try await caller.resource(tokens.access_token).status == 200)
            #expect(try await ask(caller, codes.device_code).error == "invalid_grant")
            #expect(server.statistics.wrongPasswords == 1)
        }
    }

    @Test func `RFC 8628 3.5: a device that polls too often receives slow_down, and waits longer from then on`() async throws {
        try await withServer { (caller, server) async throws in
            let codes = try await codes(caller)
            #expect(try await ask(caller, codes.device_code).error == "authorization_pending")
            #expect(try await ask(caller, codes.device_code).error == "slow_down")
            server.advance(by: .seconds(5))
            #expect(try await ask(caller, codes.device_code).error == "slow_down")
            server.advance(by: .seconds(11))
            #expect(try await ask(caller, codes.device_code).error == "authorization_pending")
        }
    }

    @Test func `RFC 8628 3.5: a user who denies access, and an expired code`() async throws {
        try await withServer { (caller, server) async throws in
            let denied = try await codes(caller)
            #expect(try await type(caller, denied.user_code, password: "", more: ["cancel": "true"]).contains("Not connected"))
            #expect(try await ask(caller, denied.device_code).error == "access_denied")
            #expect(server.statistics.denials == 1)
            let late = try await codes(caller)
            server.advance(by: .seconds(600))
            #expect(!server.settle(userCode: late.user_code, by: "alice"))
            #expect(try await ask(caller, late.device_code).error == "expired_token")
            let other = try await codes(caller)
            #expect(try await ask(caller, other.device_code, as: "app").error == "unauthorized_client")
            #expect(try await ask(caller, "unknown").error == "invalid_grant")
        }
    }

    @Test func `a client that may not ask for codes gets none`() async throws {
        try await withServer { (caller, server) async throws in
            for (client, error) in [("app", "unauthorized_client"), ("nobody", "invalid_client")] {
                #expect(try await caller.post(["client_id": client], to: server.deviceEndpoint).oauth.error == error)
            }
            #expect(
                try await caller.post(["client_id": "television", "scope": "all"], to: server.deviceEndpoint).oauth.error
                    == "invalid_scope")
            #expect(try await caller.client.get(server.deviceEndpoint).status == 405)
            #expect(server.statistics.deviceAuthorizations == 0)
        }
    }
}
