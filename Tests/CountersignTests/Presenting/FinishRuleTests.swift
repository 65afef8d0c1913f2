import Foundation
import Testing

@testable import Countersign

/// The decision whether a URL ends a flow.
@Suite struct FinishRuleTests {
    private func accepts(_ candidate: String, _ rule: String, _ match: FinishRule.Match) throws -> Bool {
        try FinishRule(#require(URL(string: rule)), match: match).accepts(#require(URL(string: candidate)))
    }

    @Test(arguments: [
        "https://host.example/done", "HTTPS://HOST.example/done", "https://host.example:443/done", "https://host.example/done?x=1",
        "https://host.example/done#part", "https://host.example/%64one", "https://host.example/done?",
    ])
    func `RT-38 the same place, however it is written, ends the flow`(_ candidate: String) throws {
        #expect(try accepts(candidate, "https://host.example/done", .path))
    }

    @Test(arguments: [
        "https://host.example.evil/done", "https://host.example@evil.example/done", "https://user@host.example/done",
        "https://user:pw@host.example/done", "https://evilhost.example/done", "https://host.example./done",
        "http://host.example/done",
        "https://host.example:8443/done", "https://host.example/done/", "https://host.example/done/more",
        "https://host.example/donee",
        "https://host.example/do", "https://host.example//done", "https://host.example/x/../done", "https://host.example/DONE",
        "https://host.example/%2Fdone", "https://host.example/done%2F", "https://host.example/done%3F",
        "https://host.example/done%00",
        "https://host.example", "https://evil.example/?https://host.example/done",
        "https://evil.example/#https://host.example/done",
        "custom://host.example/done", "/done", "https:/done", "https://host.example/done%zz",
    ])
    func `RT-38 a place that only looks like it does not end the flow`(_ candidate: String) throws {
        #expect(try !accepts(candidate, "https://host.example/done", .path))
    }

    @Test(arguments: [
        ("https://h.example/a%2Fb", "https://h.example/a/b"), ("https://h.example/a/b", "https://h.example/a%2Fb"),
        ("https://h.example/a%252Fb", "https://h.example/a%2Fb"), ("https://h.example/a%2Fb", "https://h.example/a%252Fb"),
    ])
    func `RT-38 an encoded slash is no border, and is not decoded twice`(_ candidate: String, _ rule: String) throws {
        #expect(try !accepts(candidate, rule, .path))
        #expect(try accepts(rule.replacing("%2F", with: "%2f"), rule, .path))
    }

    @Test(arguments: [
        ("https://h.example", "https://h.example/", true), ("https://h.example/", "https://h.example", true),
        ("https://h.example:443", "https://h.example/", true), ("http://h.example:80/", "http://h.example", true),
        ("app.example:/done?code=1", "app.example:/done", true), ("app.example://host/done", "app.example:/done", false),
        ("app.example://callback", "app.example://callback", true), ("app.evil://callback", "app.example://callback", false),
        ("http://127.0.0.1:8080/done", "http://127.0.0.1:8080/done", true),
        ("http://127.0.0.1:8081/done", "http://127.0.0.1:8080/done", false),
        ("http://[::1]:8080/done", "http://[::1]:8080/done", true),
    ])
    func `ports and custom schemes`(_ candidate: String, _ rule: String, _ isAccepted: Bool) throws {
        #expect(try accepts(candidate, rule, .path) == isAccepted)
    }

    @Test(arguments: [
        ("?a=1&b=2", true), ("?b=2&a=1", true), ("?a=1&b=3", false), ("?a=1", false), ("?a=1&b=2&c=3", false),
        ("?a=1&b=2&b=2", false),
        ("?%61=1&b=%32", true), ("", false),
    ])
    func `an exact rule wants the same names and values`(_ query: String, _ isAccepted: Bool) throws {
        #expect(try accepts("https://h.example/done\(query)", "https://h.example/done?a=1&b=2", .exact) == isAccepted)
    }

    @Test(arguments: [
        ("?finish=other", true), ("?x=1&finish", true), ("?%66inish=1", true), ("?x=finish", false), ("", false),
        ("?finish%3D1", false),
        ("#finish=1", false),
    ])
    func `a rule on names wants each name, with any value`(_ query: String, _ isAccepted: Bool) throws {
        #expect(try accepts("https://h.example/done\(query)", "https://h.example/done?finish=x", .pathAndQueryNames) == isAccepted)
    }
}
