import ArgumentParser
import Countersign
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI
@testable import CountersignTesting

/// The commands that give a credential to other programs.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct TokenCommandTests {
    @Test func `a credential of any header field is printed`() async throws {
        try await MockKeystone.run { mock in
            let bench = try CommandBench()
            let values = [
                "--landscape", "Keystone", "--no-store", "--set", "identityURL=\(mock.identityURL.absoluteString)", "--set",
                "cloud=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
                "password=\(try bench.write("wonderland", to: "password"))",
            ]
            let url = mock.url.appending(path: "servers").absoluteString
            let token = await bench.run(["token"] + values + [url])
            #expect(token.exit == ExitCode(0) && !token.output.contains(" "), "\(token.messages)")
            let header = await bench.run(["token", "--header"] + values + [url])
            #expect(header.output.hasPrefix("X-Auth-Token: ") && header.messages == "")
            let curl = await bench.run(["credential-helper", "curl"] + values + ["--url", url])
            #expect(curl.output.hasPrefix("header = \"X-Auth-Token: "), "\(curl.messages)")
            // kubectl takes a bearer token, which is in another field. The login was not refused.
            let other = await bench.run(["credential-helper", "kubernetes"] + values + ["--url", url])
            #expect(other.exit == CommandExit.badData && other.output == "")
            #expect(
                other.messages.hasPrefix(
                    """
                    error: kubectl requires a bearer token in the field 'Authorization', but the credential of \
                    Keystone.KeystonePassword is in 'X-Auth-Token'.
                    help: 'countersign token --header' prints it,
                    """), "\(other.messages)")
        }
    }

    @Test func `a credential of one request is printed with a warning`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let token = await bench.run([
                "token", "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set",
                "servers=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
                "password=\(try bench.write("wonderland", to: "password"))", mock.url.appending(path: "data").absoluteString,
            ])
            #expect(token.exit == ExitCode(0) && token.output.contains("username=\"alice\""))
            #expect(token.messages.contains("warning: the credential is computed for each request"))
        }
    }

    @Test func `a credential outside of header fields is named`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let token = await bench.run([
                "token", "--no-store", "--landscape", "HTTPAuthentication", "--method", "QueryAPIKey", "--set",
                "servers=\(mock.url.absoluteString)", "--set", "name=key", "--set-file",
                "key=\(try bench.write("wonderland", to: "key-value"))", mock.url.appending(path: "data").absoluteString,
            ])
            #expect(token.exit == CommandExit.refused && !(token.output + token.messages).contains("wonderland"))
        }
    }

    /// Runs a server that names the header field of its token, with `Tests/Specs/Programs/NamedHeader.yaml` as a landscape.
    ///
    /// - Parameter body: Receives the options for the landscape, and the URL of a resource.
    private func withNamedHeader(_ field: String, _ body: (_ options: [String], _ url: String) async throws -> Void) async throws {
        let bench = try CommandBench()
        defer { withExtendedLifetime(bench) {} }
        let spec = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/NamedHeader.yaml")
        try bench.write("countersign: 2\nlandscape: Guards\nsummary: Guards.\n", to: "landscape.yaml")
        try bench.write(try String(contentsOf: spec, encoding: .utf8), to: "NamedHeader.yaml")
        try await MockServer.run(path: "", with: MockGates()) { request in
            guard request.path != "/crumb" else {
                let body = #"{"crumb":"0f-4711","crumbRequestField":"\#(field)"}"#
                return MockResponse(status: .ok, fields: [.contentType: "application/json"], body: body.utf8)
            }
            let values = HTTPField.Name(field).map { request.fields[values: $0] } ?? []
            return values == ["0f-4711"] ? .text("data", status: .ok) : .text("no valid crumb", status: .forbidden)
        } _: { server in
            try await body(
                ["--spec", bench.path, "--no-store", "--set", "server=\(server.absoluteString)"],
                server.appending(path: "data").absoluteString)
        }
    }

    @Test func `a credential in a header field that the server names is printed after the login`() async throws {
        try await withNamedHeader("Jenkins-Crumb") { options, url in
            let header = await CommandBench.run(["token", "--header"] + options + [url])
            #expect(header.exit == ExitCode(0), "\(header.messages)")
            #expect(header.output.split(separator: "\n").sorted() == ["Jenkins-Crumb: 0f-4711", "X-Client: true"])
            let curl = await CommandBench.run(["credential-helper", "curl"] + options + ["--url", url])
            #expect(curl.output.contains("header = \"Jenkins-Crumb: 0f-4711\""), "\(curl.messages)")
            // The method has a second field, as other methods can have.
            let token = await CommandBench.run(["token"] + options + [url])
            #expect(token.exit == CommandExit.usage && token.messages.contains("several header fields: "), "\(token.messages)")
        }
    }

    @Test func `a header field that no server may name is not printed`() async throws {
        try await withNamedHeader("Authorization") { options, url in
            let header = await CommandBench.run(["token", "--header"] + options + [url])
            #expect(header.exit != ExitCode(0) && header.output == "")
            #expect(header.messages.contains("the server has chosen a name") && !header.messages.contains("0f-4711"))
        }
    }
}
