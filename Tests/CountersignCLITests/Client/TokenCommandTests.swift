import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

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
            // kubectl takes a bearer token.
            let other = await bench.run(["credential-helper", "kubernetes"] + values + ["--url", url])
            #expect(other.exit == CommandExit.refused && other.output == "")
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
}
