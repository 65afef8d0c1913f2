import CountersignAsyncHTTPClient
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

@Suite(.computes) struct `The address of a proxy` {
    typealias Proxy = AsyncHTTPClientTransport.Proxy

    private func proxy(_ text: String?, _ environment: [String: String] = [:]) throws -> Proxy? {
        var proxy = try ProxyAddress(text, environment).proxy
        if proxy?.exceptions == ["localhost", "127.0.0.1", "::1"] { proxy?.exceptions = [] }
        return proxy
    }

    @Test(arguments: [
        ("http://proxy.example:3128", Proxy.http(host: "proxy.example", port: 3128)),
        ("proxy.example:3128", .http(host: "proxy.example", port: 3128)),
        ("http://proxy.example", .http(host: "proxy.example", port: 80)),
        (
            "http://al%69ce:p%40ss@proxy.example:8080/",
            .http(host: "proxy.example", port: 8080, username: "alice", password: "p@ss")
        ),
        ("socks5://127.0.0.1", .socks(host: "127.0.0.1", port: 1080)),
        ("socks://proxy.example:9050", .socks(host: "proxy.example", port: 9050)),
        ("socks5h://proxy.example:9050", .socks(host: "proxy.example", port: 9050)), ("none", nil),
    ])
    func `a proxy is a URL, or none`(_ text: String, _ expected: Proxy?) throws {
        #expect(try proxy(text, ["https_proxy": "http://other.example:1"]) == expected)
    }

    @Test(arguments: [
        "", "http://", "https://proxy.example", "socks5://alice:s3cret@proxy.example", "http://s3cret:99999", "http://s3cret/path",
    ])
    func `anything else is an error without the text, which can have a password`(_ text: String) throws {
        let error = #expect(throws: CommandProblem.self) { try proxy(text) }
        #expect(error.map { "\($0)".contains("s3cret") } == false)
        let variable = try ProxyAddress(nil, ["ALL_PROXY": text.isEmpty ? "x://" : text])
        let named = #expect(throws: CommandProblem.self) { try variable.check(URL(string: "https://api.example/")) }
        #expect(named.map { "\($0)".contains("'ALL_PROXY'") && !"\($0)".contains("s3cret") } == true)
    }

    @Test func `without one, the environment names it`() throws {
        #expect(try proxy(nil) == nil)
        #expect(try proxy(nil, ["https_proxy": "", "HTTPS_PROXY": "a.example:1", "all_proxy": "b.example:2"])?.host == "a.example")
        #expect(try proxy(nil, ["ALL_PROXY": "socks5://b.example:2"]) == .socks(host: "b.example", port: 2))
    }

    @Test(arguments: [
        "http://127.0.0.1:8080/", "http://[::1]:8080/", "http://localhost/", "https://a.example/", "https://10.1.2.3/",
    ])
    func `an unusable proxy of the environment is no error for servers that are reached without it`(url: String) throws {
        let address = try ProxyAddress(nil, ["ALL_PROXY": "x://", "NO_PROXY": "a.example,10.0.0.0/8"])
        try address.check(URL(string: url))
        #expect(throws: CommandProblem.self) { try address.check(URL(string: "https://11.1.2.3/")) }
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false), ("192.168.4.0/22", "192.168.7.255", true),
        ("192.168.4.0/22", "192.168.8.0", false), ("fd00::/8", "fd12:3456::1", true), ("[fd00::]/8", "fe80::1", false),
        ("0.0.0.0/0", "8.8.8.8", true), ("0.0.0.0/0", "2001:db8::1", false), ("10.0.0.0/33", "10.0.0.0", false),
        ("10.0.0.0/8", "10.example", false), ("::1", "0:0:0:0:0:0:0:1", true), ("127.0.0.1/32", "127.0.0.1", true),
    ])
    func `an exception can be a network`(exception: String, host: String, isInside: Bool) throws {
        let proxy = try #require(try ProxyAddress("p:1", ["NO_PROXY": exception]).proxy)
        #expect(proxy.isException(host) == isInside)
    }

    @Test func `hosts without a proxy are those of the environment, and this machine`() throws {
        let exceptions = try proxy("p:1", ["NO_PROXY": "a.example, .b.example *.c.example:443"])?.exceptions
        #expect(exceptions == ["a.example", ".b.example", "*.c.example", "localhost", "127.0.0.1", "::1"])
        #expect(try proxy("p:1", ["no_proxy": "*"]) == nil)
        #expect(try proxy(nil, ["no_proxy": "*", "all_proxy": "x://"]) == nil)
    }
}
