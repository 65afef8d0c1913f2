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
        (#"{"error":"a"}"#, true), (#"{"error":""}"#, false), (#"{"error":false}"#, true), (#"{"error":0}"#, true),
        (#"{"error":{}}"#, true), (#"{"error":[]}"#, true), (#"{"error":null}"#, false),
        ("{}", false), (#"{"other":"a"}"#, false),
    ])
    func `a member is present unless it is missing, null or an empty text`(_ body: String, isPresent: Bool) throws {
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

    @Test(arguments: ["{}", #"{"token":null}"#, #"{"token":""}"#])
    func `the lack of a response names a value that must be present`(_ body: String) throws {
        let pattern = ChallengePattern("token", json: [ChallengePattern.Named("/token", .present)])
        let compiled = try #require(CompiledChallenge(pattern, [], isAnswer: true))
        var reading = try response(body)
        #expect(compiled.lack(of: &reading) == "the response has no value at '/token'")
    }

    @Test(arguments: [
        ("https://a.example/", true), ("https://a.example", true), ("https://a.example//", false), ("https://b.example", false),
    ])
    func `the lack of a response names a slash that is missing or too much`(_ issuer: String, isOnlySlash: Bool) throws {
        let expected = issuer == "https://a.example" ? "https://a.example/" : "https://a.example"
        let pattern = ChallengePattern(
            "issuer", json: [ChallengePattern.Named("/issuer", .equals(ProgramTemplate(.text(expected))))])
        let compiled = try #require(CompiledChallenge(pattern, [], isAnswer: true))
        var reading = try response(#"{"issuer":"\#(issuer)"}"#)
        let hint = isOnlySlash ? ", which differs from the expected one only by a '/' at the end" : ""
        #expect(compiled.lack(of: &reading) == "the response has an unexpected value at '/issuer'\(hint)")
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

    private static let sites = """
        [{"id": "1", "url": "https://a.example", "parts": [{"name": "x", "key": "k1"}, {"name": "y", "key": "k2"}]},
        {"id": "", "url": "https://b.example"}, null, 5,
        {"id": "2", "url": "https://b.example", "kind": "MAIN", "parts": [{"name": "x", "key": "k3"}, {"name": "y", "key": "k4"}]},
        {"id": "3", "url": "https://b.example", "kind": "main", "scopes": ["read", "write"], "isOwn": true}]
        """

    /// Captures a value of the sites. Slot 1 has the URL of the site.
    private func captured(
        _ pointer: String, where items: NamedList<ChallengePattern.Named>, as kind: ChallengePattern.Capture.Kind = .text,
        isOptional: Bool = true
    ) throws -> ProgramValue? {
        let pattern = ChallengePattern(
            "sites", captures: [.slot(0, from: .json([pointer]), where: items, as: kind, isOptional: isOptional)])
        let compiled = try #require(CompiledChallenge(pattern, [.absent, .text("https://b.example"), .absent], isAnswer: true))
        var reading = try response(Self.sites)
        guard compiled.matches(&reading) else { return nil }
        return try compiled.values(&reading)[0]
    }

    @Test(
        arguments: [
            ([:], "1"),
            (["/*/url": .equals(.slot(1))], "2"),
            (["/*/url": .equals(.slot(1)), "/*/kind": "main"], "3"),
            (["/*/kind": .anyCase("Main")], "2"),
            (["/*/kind": .absent], "1"),
            (["/*/kind": .present], "2"),
            (["/*/scopes/*": "write"], "3"),
            (["/*/id": .prefix("3")], "3"),
            (["/*/url": "https://c.example"], nil),
            (["/*/kind": .absent, "/*/url": .equals(.slot(1))], nil),
            // Nothing equals an absent value.
            (["/*/url": .equals(.slot(2))], nil),
        ] as [(NamedList<ChallengePattern.Named>, String?)])
    func `a value is of the item that meets the conditions`(
        _ items: NamedList<ChallengePattern.Named>, _ expected: String?
    ) throws {
        #expect(try captured("/*/id", where: items)?.text == expected)
        #expect(try captured("/*/id", where: items, isOptional: false)?.text == expected)
    }

    @Test(
        arguments: [
            (["/*/parts/*/name": "y"], "k2"),
            (["/*/parts/*/name": "y", "/*/url": .equals(.slot(1))], "k4"),
            (["/*/parts/*/name": "x", "/*/kind": "MAIN"], "k3"),
            (["/*/parts/*/name": "z", "/*/kind": "MAIN"], nil),
        ] as [(NamedList<ChallengePattern.Named>, String?)])
    func `a condition is on the item that both pointers lead through`(
        _ items: NamedList<ChallengePattern.Named>, _ expected: String?
    ) throws {
        #expect(try captured("/*/parts/*/key", where: items)?.text == expected)
    }

    @Test func `values of all kinds are of the item that meets the conditions`() throws {
        let third: NamedList<ChallengePattern.Named> = ["/*/id": "3"]
        #expect(try captured("/*/scopes", where: third, as: .texts) == .texts(["read", "write"]))
        #expect(try captured("/*/scopes/*", where: third, as: .flag(is: "write")) == .text("true"))
        #expect(try captured("/*/scopes/*", where: ["/*/id": "2"], as: .flag(is: "write")) == .absent)
        #expect(try captured("/*/isOwn", where: third, as: .truth) == .text("true"))
        #expect(try captured("/*/isOwn", where: ["/*/id": "2"], as: .truth, isOptional: false) == nil)
    }

    @Test func `the lack of a response names the value of which no item meets the conditions`() throws {
        let pattern = ChallengePattern(
            "sites", captures: [.slot(0, from: .json(["/*/id"]), where: ["/*/url": "https://c.example"])])
        let compiled = try #require(CompiledChallenge(pattern, [.absent], isAnswer: true))
        var reading = try response(Self.sites)
        #expect(
            compiled.lack(of: &reading) == "the response has no item with a text at '/*/id' that meets the conditions of the spec")
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
