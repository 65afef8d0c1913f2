import AsyncHTTPClient
import CountersignTesting
import Foundation
import NIOCore
import NIOHTTP1
import TestTurns
import Testing

/// Each fault of the token endpoint and of the redirect, as a client sees it.
@Suite(.takesTurns) struct TokenFaultTests {
    @Test func `a fault happens as often as it was asked for, and for the grant that it was asked for`() async throws {
        try await withServer { (caller, server) async throws in
            let code = try await caller.code()
            server.inject(.status(503), for: .authorizationCode, times: 2)
            #expect(try await caller.refresh("x").status == 400)
            #expect(try await caller.redeem(code).status == 503)
            #expect(try await caller.redeem(code).status == 503)
            #expect(try await caller.redeem(code).status == 200)
            #expect(server.statistics.tokenRequests == [.authorizationCode: 3, .refreshToken: 1])
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `faults that are left can be taken back`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.status(500), times: .max)
            server.inject(.fragment, times: .max)
            server.removeFaults()
            #expect(try await caller.tokens().access_token != nil)
        }
    }

    @Test func `429 says when to come again`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.status(429, retryAfter: "120"))
            let answer = try await caller.refresh("x")
            #expect(answer.status == 429)
            #expect(answer.headers["retry-after"] == ["120"])
        }
    }

    @Test(arguments: [("invalid_grant", 400), ("temporarily_unavailable", 503), ("invalid_grant", 200)])
    func `an error of any code comes with any status`(code: String, status: Int) async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.error(code, status: status))
            let answer = try await caller.refresh("x")
            #expect(answer.status == status)
            #expect(try answer.oauth.error == code)
        }
    }

    @Test func `a page comes instead of JSON`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.html)
            let answer = try await caller.refresh("x")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == ["text/html; charset=utf-8"])
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `the token endpoint redirects`(status: Int) async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.redirect(status: status, to: "https://evil.example/token"))
            let answer = try await caller.refresh("x")
            #expect(answer.status == status)
            #expect(answer.location == "https://evil.example/token")
        }
    }

    @Test func `a connection that is reset before leaves everything as it was`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            server.inject(.connectionReset)
            await #expect(throws: (any Error).self) { try await caller.refresh(tokens.refresh_token) }
            #expect(server.statistics.refreshes == 0)
            #expect(try await caller.refresh(tokens.refresh_token).status == 200)
        }
    }

    @Test func `an answer that is lost was made: the refresh token is used up`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            server.inject(.lostAnswer)
            await #expect(throws: (any Error).self) { try await caller.refresh(tokens.refresh_token) }
            #expect(server.statistics.refreshes == 1)
            #expect(try await caller.refresh(tokens.refresh_token).oauth.error == "invalid_grant")
            #expect(server.statistics.refreshTokenReuses == 1)
        }
    }

    @Test func `half a token answer ends before its length`() async throws {
        try await withServer { (caller, server) async throws in
            let code = try await caller.code()
            server.inject(.truncatedBody)
            await #expect(throws: (any Error).self) { try await caller.redeem(code) }
            #expect(server.statistics.tokenAnswers == [.authorizationCode: 1])
        }
    }

    @Test func `a token can be too long by as much as is wanted, and is whole`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.hugeToken(bytes: 1_000_000))
            let tokens = try await caller.tokens()
            #expect(tokens.access_token?.count ?? 0 > 1_000_000)
            #expect(tokens.refresh_token != nil)
        }
    }

    @Test func `two hundred megabytes of token are announced, and sent until the client hangs up`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.hugeToken())
            var request = HTTPClientRequest(url: server.tokenEndpoint.absoluteString)
            request.method = .POST
            request.headers = [
                "content-type": "application/x-www-form-urlencoded",
                "authorization": "Basic \(Data("service%3A1:s%253A%2B+%26%3D%3A%2F%3F%C3%BC".utf8).base64EncodedString())",
            ]
            request.body = .bytes(ByteBuffer(string: "grant_type=client_credentials"))
            let response = try await caller.client.client.execute(request, timeout: .seconds(60))
            var length = 0
            for try await piece in response.body {
                length += piece.readableBytes
                if length > 32_000_000 { break }
            }
            #expect(response.status == .ok)
            #expect(length > 32_000_000)
            #expect(response.headers["content-length"].first.flatMap(Int.init) ?? 0 > 200_000_000)
            #expect(try await caller.post(["grant_type": "client_credentials"], as: OAuth2Caller.service).status == 200)
        }
    }

    @Test(arguments: [nil, "\"soon\"", "-1", "1e400", "\"3600\"", "null", "3600.5"] as [String?])
    func `members are missing or strange`(lifetime: String?) async throws {
        try await withServer { (caller, server) async throws in
            server.inject(.members(["expires_in": lifetime, "token_type": "\"bEaReR\"", "surplus": "[{}]"]))
            let text = try await caller.redeem(try await caller.code()).text
            #expect(text.contains("\"token_type\":\"bEaReR\""))
            #expect(text.contains("\"surplus\":[{}]"))
            #expect(text.contains("expires_in") == (lifetime != nil))
            if let lifetime { #expect(text.contains("\"expires_in\":\(lifetime)")) }
        }
    }

    @Test func `a delayed answer comes late and is whole`() async throws {
        try await withServer { (caller, server) async throws in
            let code = try await caller.code()
            server.inject(.delay(.milliseconds(60)))
            let start = ContinuousClock.now
            #expect(try await caller.redeem(code).oauth.access_token != nil)
            #expect(ContinuousClock.now - start >= .milliseconds(60))
        }
    }

    @Test func `token requests can be held back until a gate is opened`() async throws {
        try await withServer { (caller, server) async throws in
            let tokens = try await caller.tokens()
            let gate = server.hold(.path(server.tokenEndpoint.path()), until: .max)
            async let answer = caller.refresh(tokens.refresh_token)
            while gate.arrived < 1 { await Task.yield() }
            #expect(server.statistics.refreshes == 0)
            gate.open()
            #expect(try await answer.status == 200)
        }
    }

    // MARK: The way back

    @Test func `the way back can be wrong in every parameter`() async throws {
        try await withServer { (caller, server) async throws in
            server.inject(MockCallbackFault.values("state", ["another"]))
            server.inject(MockCallbackFault.values("state", []))
            server.inject(MockCallbackFault.values("iss", ["https://evil.example"]))
            server.inject(MockCallbackFault.values("access_token", ["x"]))
            server.inject(MockCallbackFault.repeated("code"))
            server.inject(MockCallbackFault.fragment)
            var answers: [RawClient.Answer] = []
            for _ in 0..<7 { answers.append(try await caller.submit(try await caller.authorize())) }
            #expect(answers[0].parameters("state") == ["another"])
            #expect(answers[1].parameters("state") == [])
            #expect(answers[2].parameters("iss") == ["https://evil.example"])
            #expect(answers[3].parameters("access_token") == ["x"])
            #expect(answers[4].parameters("code").count == 2)
            #expect(answers[5].location?.hasPrefix("https://app.example/callback#code=") == true)
            #expect(answers[6].parameters("state") == ["s t&a=t+e"])
        }
    }
}
