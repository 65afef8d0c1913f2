import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The request, which is given as a reference to the server.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct OnboardRequestTests {
    private let server = URL(string: "http://127.0.0.1:8080")

    @Test(arguments: [
        ("/", "/"), ("", "/"), ("a/b?x=1", "/a/b?x=1"), ("/a/b?x=1&y=%2F", "/a/b?x=1&y=%2F"), ("?x=1", "/?x=1"), ("/a/../b", "/b"),
        ("http://127.0.0.1:8080/c#d", "/c"), ("//127.0.0.1:8080/c", "/c"), ("/a b", "/a%20b"),
    ])
    func `a reference is resolved as RFC 3986 says`(reference: String, path: String) throws {
        let request = try OnboardRequest(reference, at: try #require(server))
        #expect(request.path == path)
        #expect(request.url.absoluteString.hasPrefix("http://127.0.0.1:8080"))
        #expect(request.url.fragment == nil)
    }

    @Test(arguments: [
        "http://other/evil", "//other/evil", "https://127.0.0.1:8080/", "http://127.0.0.1:8081/", "http://user@127.0.0.1:8080/",
        "http://127.0.0.1:8080@other/", "ftp://127.0.0.1:8080/", "mailto:c4n4ry@example.com", "javascript:c4n4ry",
    ])
    func `another origin is wrong usage, and not repeated`(reference: String) throws {
        let server = try #require(server)
        let error = #expect(throws: CommandProblem.self) { try OnboardRequest(reference, at: server) }
        #expect(error?.exit == CommandExit.usage)
        #expect(error?.description.contains("c4n4ry") == false)
    }

    @Test func `query and path are sent as they are reported`() async throws {
        try await OnboardBench.run { bench in
            try await bench.run(bench.path("configuration.json"), "--json", "--request", "orders?top=1")
            #expect(try bench.report().path == "/orders?top=1")
            let sent = bench.mock.statistics
            let other = bench.next
            await #expect(throws: CommandExit.usage) { try await other.run("--request", "//other.example/evil") }
            #expect(other.recorded.messages.contains("nothing was sent"))
            #expect(bench.mock.statistics == sent)
        }
    }
}
