import ArgumentParser
import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// Credentials that only requests of some HTTP methods, or only bodies, carry.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct RequestMethodTests {
    private typealias Body = @Sendable (_ bench: CommandBench, _ options: [String], _ url: String) async throws -> Void

    /// Runs the mock of a method with a token.
    ///
    /// - Parameters:
    ///   - attach: The items of `attach`.
    ///   - body: Receives the options for the method, and the URL of a resource.
    private func withMock(_ attach: [String], _ body: @escaping Body) async throws {
        let bench = try Self.bench(attach, challengedBy: 401)
        let token = try bench.write("wonderland", to: "token")
        let recorded = RecordedConsole()
        let command = try #require(try CountersignCommand.parseAsRoot(["mock", "--spec", bench.path]) as? MockCommand)
        try await command.run(console: recorded.console) {
            let servers = try Self.value("servers", in: recorded.output)
            let url = try Self.value("url", in: recorded.output)
            let options = ["--no-store", "--spec", bench.path, "--set", "servers=\(servers)", "--set-file", "token=\(token)"]
            try await body(bench, options, url)
        }
    }

    @Test func `the request that a mock prints is one of those that carry the credential`() async throws {
        let bench = try Self.bench([#"{ methods: [PUT, POST], headers: { X-Token: "{credential.value}" } }"#], challengedBy: 401)
        let recorded = RecordedConsole()
        let command = try #require(try CountersignCommand.parseAsRoot(["mock", "--spec", bench.path]) as? MockCommand)
        try await command.run(console: recorded.console) {
            let printed = try #require(recorded.output.split(separator: "\n").first { $0.hasPrefix("try: ") })
            #expect(printed.contains(" -X PUT http://127.0.0.1:"), "\(printed)")
        }
    }

    /// Returns a bench with the spec of a method with a token.
    ///
    /// - Parameter status: The status code of its challenge.
    private static func bench(_ attach: [String], challengedBy status: Int) throws -> CommandBench {
        let bench = try CommandBench()
        try bench.write("countersign: 2\nlandscape: Mine\nsummary: A landscape.\n", to: "landscape.yaml")
        let spec = """
            countersign: 2
            method: Write
            summary: A token of writes.
            parameters:
              servers: { type: origins, summary: The servers. }
              token: { type: secret, summary: The token. }
            challenge:
              - { name: refused, status: \(status) }
            credential:
              fields: { value: { type: secret, summary: The token. } }
              for: ["{servers}"]
            acquire:
              - compute: { value: { value: "{token}" } }
            attach:
            \(attach.map { "  - \($0)" }.joined(separator: "\n"))
            rejected:
              - { then: [acquire], retry: 1 }

            """
        try bench.write(spec, to: "Write.yaml")
        return bench
    }

    /// Returns a value that the mock has printed.
    private static func value(_ name: String, in output: String) throws -> String {
        let line = output.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
        return String(try #require(line).dropFirst(name.count + 2))
    }

    @Test func `a login by a GET that carries no credential names a request that does`() async throws {
        try await withMock([#"{ methods: [POST, PUT], headers: { X-Token: "{credential.value}" } }"#]) { bench, options, url in
            let login = await bench.run(["login"] + options + [url])
            #expect(login.exit == ExitCode(0))
            #expect(
                login.messages == """
                    No login was needed; the server answered with status 200.
                    Only POST and PUT requests carry the credential of Mine.Write: give '-X POST'.

                    """)
            let token = await bench.run(["token"] + options + [url])
            #expect(token.exit == CommandExit.refused && token.output == "")
            #expect(
                token.messages.hasSuffix("help: Only POST and PUT requests carry the credential of Mine.Write: give '-X POST'.\n"),
                "\(token.messages)")
            let other = await bench.run(["login", "-X", "POST"] + options + [url])
            #expect(other.messages == "Signed in by Mine.Write; the server answered with status 200.\n")
            let header = await bench.run(["token", "--header", "-X", "PUT"] + options + [url])
            #expect(header.output == "X-Token: wonderland\n" && header.messages == "", "\(header.messages)")
            let curl = await bench.run(["credential-helper", "curl", "-X", "POST"] + options + ["--url", url])
            #expect(curl.output == "header = \"X-Token: wonderland\"\n", "\(curl.messages)")
            let unknown = await bench.run(["login", "-X", "P T"] + options + [url])
            #expect(unknown.exit == CommandExit.usage && unknown.messages == "error: 'P T' is not a valid HTTP method.\n")
        }
    }

    @Test func `a credential in the body needs a request with one`() async throws {
        try await withMock([#"json: { token: "{credential.value}" }"#]) { bench, options, url in
            let remedy = "help: GET requests carry no credential of Mine.Write, which is in the body: give '-X POST'.\n"
            let login = await bench.run(["login"] + options + [url])
            #expect(login.exit == CommandExit.refused && login.messages.hasSuffix(remedy), "\(login.messages)")
            let request = await bench.run(["request"] + options + [url])
            #expect(request.exit == ExitCode(0) && request.messages.hasSuffix(remedy), "\(request.messages)")
            let posted = await bench.run(["login", "-X", "POST"] + options + [url])
            #expect(posted.messages == "Signed in by Mine.Write; the server answered with status 200.\n")
            let inBody = """
                error: The credential of Mine.Write is in the body, and not in a header field that another program could send.
                help: 'countersign request -X POST' sends requests with it.

                """
            for method in ["GET", "POST"] {
                let token = await bench.run(["token", "-X", method] + options + [url])
                #expect(token.exit == CommandExit.refused && token.messages == inBody, "\(token.messages)")
            }
        }
    }

    @Test func `a body that a credential cannot be added to has that reason, and a file is one that it can`() async throws {
        try await withMock([#"json: { token: "{credential.value}" }"#]) { bench, options, url in
            let form = await bench.run(["request", "-d", "a=b"] + options + [url])
            #expect(
                form.messages.hasSuffix(
                    """
                    help: The credential of Mine.Write adds members to a JSON object in the body, which must not have them: give such \
                    a body, with '-H "Content-Type: application/json"', or none.

                    """), "\(form.messages)")
            let file = try bench.write(#"{"a":1}"#, to: "body.json")
            let json = await bench.run(
                ["request", "-d", "@\(file)", "-H", "Content-Type: application/json"] + options + [url])
            #expect(json.output == #"{"method":"POST","path":"/data"}"# + "\n" && json.messages == "", "\(json.messages)")
        }
    }

    @Test func `a header field of the request that carries the credential only in other requests is not the reason`() async throws {
        let items = [
            #"headers: { X-Session: "{credential.value}" }"#,
            #"{ methods: [POST, PUT], headers: { X-Token: "{credential.value}" } }"#,
        ]
        let bench = try Self.bench(items, challengedBy: 403)
        let token = try bench.write("wonderland", to: "token")
        // The server's challenge has status 401, so the method does not answer it.
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let options = [
                "request", "--no-store", "--spec", bench.path, "--set", "servers=\(mock.url.absoluteString)", "--set-file",
                "token=\(token)", "-H", "X-Token: mine", mock.url.appending(path: "data").absoluteString,
            ]
            let get = await bench.run(options)
            #expect(get.messages.contains("help: 'countersign probe URL' shows the challenge"), "\(get.messages)")
            let post = await bench.run(options + ["-X", "POST"])
            #expect(
                post.messages.hasSuffix(
                    """
                    help: The request has a field 'X-Token' of its own, and so carries no credential of Mine.Write: leave it out.

                    """), "\(post.messages)")
        }
    }

    @Test func `header fields that only other requests carry are named`() async throws {
        let items = [
            #"headers: { X-Session: "{credential.value}" }"#,
            #"{ methods: [POST, PUT], headers: { X-Token: "{credential.value}" } }"#,
        ]
        try await withMock(items) { bench, options, url in
            let header = await bench.run(["token", "--header"] + options + [url])
            #expect(header.output == "X-Session: wonderland\n")
            #expect(
                header.messages == "warning: POST and PUT requests carry more header fields; '-X POST' prints them\n")
            let all = await bench.run(["token", "--header", "-X", "POST"] + options + [url])
            #expect(all.output.split(separator: "\n").sorted() == ["X-Session: wonderland", "X-Token: wonderland"])
            #expect(all.messages == "")
        }
        try await withMock([#"{ headers: { X-Session: "{credential.value}" }, query: { key: "{credential.value}" } }"#]) {
            bench, options, url in
            let header = await bench.run(["token", "--header"] + options + [url])
            #expect(header.output == "X-Session: wonderland\n")
            #expect(header.messages == "warning: a part of the credential is in the query of the URL, and is not printed\n")
        }
    }
}
