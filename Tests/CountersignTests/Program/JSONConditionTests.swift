import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// Conditions on the JSON of a response, and the values that are captured from it.
@Suite struct `Conditions on JSON` {
    private func response(_ body: String) throws -> ResponseReading {
        let url = try #require(URL(string: "https://app.example"))
        return ResponseReading(HTTPResponse(status: .ok), from: url, body: Array(body.utf8), judgedBy: CookieJar())
    }

    private func matches(_ pattern: ChallengePattern, _ reading: ResponseReading) throws -> Bool {
        var reading = reading
        let compiled = try #require(CompiledChallenge(pattern, [], isAnswer: true))
        return compiled.matches(&reading)
    }

    @Test(arguments: [
        (#"{"error":"a"}"#, true), (#"{"error":""}"#, true), (#"{"error":false}"#, true), (#"{"error":0}"#, true),
        (#"{"error":{}}"#, true), (#"{"error":[]}"#, true), (#"{"error":null}"#, false),
        ("{}", false), (#"{"other":"a"}"#, false),
    ])
    func `a member is present unless it is missing or null`(_ body: String, isPresent: Bool) throws {
        let pattern = ChallengePattern("error", json: [ChallengePattern.Named("/error", .present)])
        #expect(try matches(pattern, response(body)) == isPresent)
    }

    @Test(arguments: [("error=a", true), ("error=", false), ("error", false), ("other=a", false)])
    func `an item of a query is present unless it is missing or empty`(_ query: String, isPresent: Bool) throws {
        let url = try #require(URL(string: "https://app.example"))
        let pattern = ChallengePattern("error", query: [ChallengePattern.Named("error", .present)])
        let reading = ResponseReading(query: try FormParameters(parsing: query), from: url)
        #expect(try matches(pattern, reading) == isPresent)
    }

    @Test func `a required duration that is no duration is an error`() throws {
        let pattern = ChallengePattern("token", captures: [.slot(0, from: .json(["/expires_in"]), as: .seconds)])
        let compiled = try #require(CompiledChallenge(pattern, [.absent], isAnswer: true))
        var reading = try response(#"{"expires_in":"soon"}"#)
        do throws(CountersignError) {
            _ = try compiled.values(&reading)
            Issue.record("a duration was captured")
        } catch {
            #expect(error.code == .unusableChallenge)
        }
    }
}
