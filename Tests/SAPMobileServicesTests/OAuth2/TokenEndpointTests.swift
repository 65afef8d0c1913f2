import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Faulty responses of a token endpoint, and the resulting errors of the generated client.
@Suite(.takesTurns) struct `Token endpoints that misbehave` {
    /// Returns the error of a first login whose token request fails.
    private func error(_ fault: MockTokenFault) async throws -> OAuth2Error? {
        var caught: OAuth2Error?
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            bench.mock.inject(tokenFault: fault, times: .max)
            caught = await bench.error() as? OAuth2Error
            #expect(bench.counted.tokenRequests.values.reduce(0, +) <= 2)
        }
        return caught
    }

    @Test func `RT-32 B25 a redirect is not followed, whatever it keeps of the request`() async throws {
        for status in [301, 302, 303, 307, 308] {
            guard case .http(let error, status, _)? = try await error(.redirect(status: status, to: "/elsewhere")) else {
                Issue.record("another error for \(status)")
                continue
            }
            #expect("\(error)".contains("redirects"))
        }
    }

    @Test func `a page instead of JSON cannot be read`() async throws {
        guard case .parse(let error, let response, let data)? = try await error(.html) else {
            Issue.record("another error")
            return
        }
        #expect(error == "The response is not a JSON object.")
        #expect(response.statusCode == 200)
        #expect(response.url?.path() == "/oauth2/api/v1/token")
        #expect(data.isEmpty)
    }

    @Test func `a connection that is reset gives no response`() async throws {
        guard case .missingHTTPResponse? = try await error(.connectionReset) else {
            Issue.record("another error")
            return
        }
    }

    @Test func `an error is an error, with status 200 too`() async throws {
        for status in [200, 400, 401] {
            guard case .server(let error)? = try await error(.error("invalid_client", status: status)) else {
                Issue.record("another error for \(status)")
                continue
            }
            #expect(error.code == "invalid_client")
        }
    }

    @Test func `two hundred megabytes of token are not read`() async throws {
        guard case .parse(let error, _, _)? = try await error(.hugeToken()) else {
            Issue.record("another error")
            return
        }
        #expect(error == "The response is too large for a token response.")
    }

    @Test(arguments: [
        "access_token": #""""#, "token_type": #""MAC""#, "access_token ": "7",
    ]) func `RT-39 a token that cannot be sent is refused`(member: String, value: String) async throws {
        let name = member.trimmingCharacters(in: .whitespaces)
        guard case .parse(_, _, let data)? = try await error(.members([name: value])) else {
            Issue.record("another error")
            return
        }
        #expect(String(decoding: data, as: UTF8.self).contains(#""access_token":"<redacted>""#))
    }

    @Test func `RT-39 a token with a line break reaches no request`() async throws {
        guard case .parse? = try await error(.members(["access_token": #""a\r\nX-Injected: 1""#])) else {
            Issue.record("another error")
            return
        }
    }

    @Test(arguments: [nil, #""soon""#, "-1", "0", "1e400", "1e18", "null", "true"])
    func `RT-26 a lifetime that is none does not hinder`(lifetime: String?) async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode()
            bench.mock.inject(tokenFault: .members(["expires_in": lifetime]))
            #expect(try await bench.user() == "alice")
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenRequests == [.authorizationCode: 1])
        }
    }

    @Test(arguments: ["bearer", "BEARER", "bEaReR"]) func `the token's type has any case`(type: String) async throws {
        try await OAuth2Bench.run(oauth2: { $0.tokenType = type }) { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
        }
    }

    @Test func `RT-30 no secret is in an error, an event or a description`() async throws {
        try await OAuth2Bench.run { bench in
            try bench.registerCode { $0.clientSecret = "c4n4ry-secret" }
            bench.mock.inject(
                tokenFault: .members(["access_token": #""c4n4ry-token\n""#, "refresh_token": #""c4n4ry-refresh""#]))
            let error = try #require(await bench.error())
            var text = "\(error) \(String(reflecting: error)) \(bench.events.all)"
            dump(error, to: &text)
            dump(try bench.parameters, to: &text)
            #expect(!text.contains("c4n4ry"))
        }
    }
}
