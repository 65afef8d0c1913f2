import ArgumentParser
import Countersign
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI
@testable import CountersignTesting

/// Commands at a server with HTTP Basic that cannot answer, that names no realm, or whose login the store cannot delete.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct BasicServerTests {
    /// Runs a server, and passes the options for HTTP Basic and the URL of a resource.
    private func withServer(
        _ respond: @escaping @Sendable (MockRequest) -> MockResponse,
        _ body: (_ bench: CommandBench, _ options: [String], _ url: String) async throws -> Void
    ) async throws {
        let bench = try CommandBench()
        let password = try bench.write("wonderland", to: "password")
        try await MockServer.run(path: "", with: MockGates()) { request in
            respond(request)
        } _: { server in
            let options = [
                "--landscape", "HTTPAuthentication", "--method", "HTTPBasic", "--set", "servers=\(server.absoluteString)", "--set",
                "user=alice", "--set-file", "password=\(password)",
            ]
            try await body(bench, options, server.appending(path: "data").absoluteString)
        }
    }

    @Test(arguments: [429, 503]) func `a server that cannot answer does not count as one without a login`(code: Int) async throws {
        let busy = MockResponse.text("busy", status: HTTPResponse.Status(code: code))
        try await withServer({ _ in busy }) { bench, options, url in
            let login = await bench.run(["login", "--no-store"] + options + [url])
            #expect(login.exit == CommandExit.unavailable)
            #expect(
                login.messages == """
                    error: the server answered with status \(code), which does not show whether it requires a login
                    help: The server cannot answer at present. Try again later.

                    """)
            let token = await bench.run(["token", "--no-store"] + options + [url])
            #expect(token.exit == CommandExit.unavailable && token.output == "")
            #expect(token.messages.hasSuffix("help: The server cannot answer at present. Try again later.\n"), "\(token.messages)")
            let probe = await bench.run(["probe", url])
            #expect(probe.messages.contains("The server cannot answer at present: try again later.\n"), "\(probe.messages)")
        }
    }

    @Test func `a login that the server answers with another error is not needed`() async throws {
        try await withServer({ _ in .text("nothing here", status: .notFound) }) { bench, options, url in
            let login = await bench.run(["login", "--no-store"] + options + [url])
            #expect(login.exit == ExitCode(0))
            #expect(login.messages == "No login was needed; the server answered with status 404.\n")
        }
    }

    @Test func `a logout that cannot delete a login does not warn that none could be stored`() async throws {
        let challenge = MockResponse(status: .unauthorized, fields: [.wwwAuthenticate: #"Basic realm="a""#])
        try await withServer({ $0.fields[.authorization] == nil ? challenge : .text("data", status: .ok) }) { bench, options, url in
            let login = await bench.run(["login"] + options + bench.store + [url])
            #expect(login.exit == ExitCode(0), "\(login.messages)")
            // A folder in the place of the file cannot be deleted as one, also not by an administrator.
            let files = FileManager.default
            let store = bench.path + "/store"
            let name = try #require(try files.contentsOfDirectory(atPath: store).first { $0.hasSuffix(".credential") })
            try files.removeItem(atPath: "\(store)/\(name)")
            try files.createDirectory(atPath: "\(store)/\(name)/full", withIntermediateDirectories: true)
            let logout = await bench.run(["logout"] + options + bench.store)
            #expect(logout.exit == CommandExit.storeFailed)
            #expect(logout.messages.hasPrefix("error: HTTPBasic: the store failed to delete a credential"), "\(logout.messages)")
        }
    }

    @Test func `a URL of the wrong scheme has a remedy`() async throws {
        try await withServer({ _ in .text("data", status: .ok) }) { bench, options, url in
            let login = await bench.run(["login", "--no-store"] + options + [url.replacing("http:", with: "https:")])
            #expect(login.exit == CommandExit.unavailable)
            let remedy = "help: Check the address, the port and the server's certificate. "
            #expect(login.messages.contains(remedy), "\(login.messages)")
        }
        var reset = MockResponse.text("", status: .ok)
        reset.delivery = .reset
        let lost = reset
        try await withServer({ _ in lost }) { bench, options, url in
            let login = await bench.run(["login", "--no-store"] + options + [url])
            #expect(login.exit == CommandExit.unavailable)
            let remedy = "help: Try again. If the server has TLS at this port, write 'https:' in the URL.\n"
            #expect(login.messages.hasSuffix(remedy), "\(login.messages)")
        }
    }

    @Test func `an empty realm is not a detail of a stored login`() async throws {
        let challenge = MockResponse(status: .unauthorized, fields: [.wwwAuthenticate: #"Basic realm="""#])
        try await withServer({ $0.fields[.authorization] == nil ? challenge : .text("data", status: .ok) }) { bench, options, url in
            let login = await bench.run(["login"] + options + bench.store + [url])
            #expect(login.exit == ExitCode(0), "\(login.messages)")
            let status = await bench.run(["status"] + options + bench.store)
            #expect(status.output.contains(" as user alice\n"), "\(status.output)")
            let object = try await bench.run(["status", "--json"] + options + bench.store).object()
            let credentials = try #require(object["credentials"] as? [[String: Any]])
            #expect(credentials.first?["details"] as? [String] == [])
        }
    }
}
