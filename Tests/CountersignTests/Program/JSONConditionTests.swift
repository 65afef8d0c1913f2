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
        let expected: [(ChallengePattern.Match, Bool)] = [(.present, isPresent), (.absent, !isPresent)]
        for (match, isExpected) in expected {
            let pattern = ChallengePattern("error", json: [ChallengePattern.Named("/error", match)])
            #expect(try matches(pattern, response(body)) == isExpected)
        }
    }

    @Test(arguments: [
        (#"{"flows":[]}"#, true), (#"{"flows":[null,{"a":null}]}"#, true), (#"{"flows":[{},{"a":1}]}"#, false),
        (#"{"flows":{"a":1}}"#, true), ("[]", true), ("", false), ("text", false), (#"{"a":1,"a":2}"#, false),
    ])
    func `a value is absent if no item of a list has it, and the body is JSON`(_ body: String, isAbsent: Bool) throws {
        let pattern = ChallengePattern("none", json: [ChallengePattern.Named("/flows/*/a", .absent)])
        #expect(try matches(pattern, response(body)) == isAbsent)
    }

    @Test func `a body that was not read, or not to its end, has no absent value`() throws {
        let url = try #require(URL(string: "https://app.example"))
        let pattern = ChallengePattern("none", json: [ChallengePattern.Named("/error", .absent)])
        let head = HTTPResponse(status: .ok)
        #expect(try !matches(pattern, ResponseReading(head, from: url, judgedBy: CookieJar())))
        let body = Array("{}".utf8)
        #expect(try !matches(pattern, ResponseReading(head, from: url, body: body, isWhole: false, judgedBy: CookieJar())))
        #expect(try matches(pattern, ResponseReading(head, from: url, body: body, judgedBy: CookieJar())))
    }

    @Test func `the lack of a response names a value that must be absent`() throws {
        let pattern = ChallengePattern("none", json: [ChallengePattern.Named("/error", .absent)])
        let compiled = try #require(CompiledChallenge(pattern, [], isAnswer: true))
        var reading = try response(#"{"error":"a"}"#)
        #expect(compiled.lack(of: &reading) == "the response has an unexpected value at '/error'")
    }

    @Test(arguments: [
        ("<A/>", true), ("<A><B c='1'/></A>", true), ("<A><C/><B/></A>", true), ("<A><B/><B d=''/></A>", false), ("", false),
        ("{}", false),
    ])
    func `a part of XML is absent only from XML`(_ body: String, isAbsent: Bool) throws {
        let pattern = ChallengePattern("none", xml: [ChallengePattern.Named("/A/B/@d", .absent)])
        #expect(try matches(pattern, response(body)) == isAbsent)
    }

    @Test func `a cookie is absent if the response sets none of its name, or deletes it`() throws {
        let url = try #require(URL(string: "https://app.example"))
        let pattern = ChallengePattern("none", cookies: .named([ChallengePattern.Named("SID", .absent)]))
        for (cookie, isAbsent) in [("a=b", true), ("sid=1", true), ("SID=1", false), ("SID=; Max-Age=0", true)] {
            let head = HTTPResponse(status: .ok, headerFields: [.setCookie: cookie])
            #expect(try matches(pattern, ResponseReading(head, from: url, judgedBy: CookieJar())) == isAbsent, "\(cookie)")
        }
        #expect(try matches(pattern, ResponseReading(HTTPResponse(status: .ok), from: url, judgedBy: CookieJar())))
    }

    @Test(arguments: [("error=a", true), ("error=", false), ("error", false), ("other=a", false)])
    func `an item of a query is present unless it is missing or empty`(_ query: String, isPresent: Bool) throws {
        let url = try #require(URL(string: "https://app.example"))
        let reading = ResponseReading(query: try FormParameters(parsing: query), from: url)
        let expected: [(ChallengePattern.Match, Bool)] = [(.present, isPresent), (.absent, !isPresent)]
        for (match, isExpected) in expected {
            let pattern = ChallengePattern("error", query: [ChallengePattern.Named("error", match)])
            #expect(try matches(pattern, reading) == isExpected)
        }
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

    @Test(arguments: [(#""soon""#, 5), (#""9""#, 9), ("0", 5)])
    func `a default stands for a duration that is none`(_ value: String, seconds: Int) throws {
        let pattern = ChallengePattern("token", captures: [.slot(0, from: .json(["/interval"]), as: .seconds, fallback: "5")])
        let compiled = try #require(CompiledChallenge(pattern, [.absent], isAnswer: true))
        var reading = try response(#"{"interval":\#(value)}"#)
        #expect(try compiled.values(&reading) == [0: .duration(.seconds(seconds))])
    }

    @Test(arguments: [
        ("/next?a=b", "https://app.example/next?a=b"), ("next", "https://app.example/login/next"),
        ("https://app.example/x", "https://app.example/x"), ("//evil.example/x", nil),
        ("\\\\evil.example", "https://app.example/login/%5C%5Cevil.example"),
        ("javascript:alert(1)", nil),
    ])
    func `a URL in a header field can be relative, and one in JSON cannot`(_ text: String, _ expected: String?) throws {
        let url = try #require(URL(string: "https://app.example/login/form"))
        func captured(from source: ChallengePattern.Capture.Source) throws -> URL? {
            let pattern = ChallengePattern(
                "next", captures: [.slot(0, from: source, as: .url(within: [.response]), isOptional: true)])
            let compiled = try #require(CompiledChallenge(pattern, [.absent], isAnswer: true))
            let head = HTTPResponse(status: .seeOther, headerFields: [.location: text])
            let body = try JSONEncoder().encode(["next": text])
            var reading = ResponseReading(head, from: url, body: Array(body), judgedBy: CookieJar())
            guard case .url(let url)? = try? compiled.values(&reading)[0] else { return nil }
            return url
        }
        #expect(try captured(from: .header("Location"))?.absoluteString == expected)
        let isAbsolute = text.hasPrefix("https:")
        #expect(try captured(from: .json(["/next"]))?.absoluteString == (isAbsolute ? expected : nil))
    }
}
