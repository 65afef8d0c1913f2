import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// The responses of `request` that are challenges which no method has answered.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct UnansweredChallengeTests {
    private static let negotiate = ["request", "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPNegotiate"]

    @Test func `another scheme is named, and the body is written as it is`() async throws {
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            let url = mock.url.absoluteString
            let request = await CommandBench.run(Self.negotiate + ["--set", "servers=\(url)", url])
            #expect(request.exit == ExitCode(0) && !request.output.isEmpty && !request.output.contains("warning"))
            #expect(
                request.messages == """
                    warning: the server answered with status 401: the challenge 'unauthorized' of HTTPAuthentication.HTTPBasic (Basic), \
                    which no method of the session has answered (HTTPAuthentication.HTTPNegotiate)
                    help: Name that method, alone or with others: '--method HTTPBasic'. 'countersign probe URL' shows the challenge.

                    """)
        }
    }

    @Test func `with --fail it is the error, without a parameter of the challenge`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let url = mock.url.appending(path: "data").absoluteString
            let request = await CommandBench.run([
                "request", "-f", "--no-store", "--landscape", "Transmission", "--method", "HTTPBasic", "--set",
                "servers=\(mock.url.absoluteString)", url,
            ])
            #expect(request.exit == CommandExit.failed && request.output == "")
            #expect(
                request.messages == """
                    error: the server answered with status 401: a challenge (Digest) that no method of the session has answered \
                    (Transmission.HTTPBasic)
                    help: 'countersign probe URL' shows the challenge, and names the methods that answer it: choose one with \
                    '--landscape' and '--method'.

                    """)
        }
    }

    @Test func `the challenge of another method in a response of success is one, too`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let request = await CommandBench.run([
                "request", "--no-store", "--landscape", "SAPMobileServices", "--method", "OTP", "--set",
                "backendURL=\(mock.baseURL.absoluteString)", mock.baseURL.appending(path: "backend").absoluteString,
            ])
            #expect(request.exit == ExitCode(0))
            #expect(request.messages.contains("the challenge 'login-request' of SAPMobileServices.SAML, which no method"))
            #expect(request.messages.contains("'--method SAML'"))
        }
    }

    @Test func `a server that is not one of the method's has that reason`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let url = mock.url.appending(path: "data").absoluteString
            let request = await CommandBench.run([
                "request", "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set",
                "servers=http://127.0.0.1:1", url,
            ])
            #expect(request.messages.contains("help: According to the values, the credential is only for http://127.0.0.1:1."))
        }
    }

    @Test func `a request with a header field of its own has that reason`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let request = await CommandBench.run([
                "request", "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set",
                "servers=\(mock.url.absoluteString)", "-H", "Authorization: Basic YTpi",
                mock.url.appending(path: "data").absoluteString,
            ])
            #expect(
                request.messages.hasSuffix(
                    """
                    help: The request has a field 'Authorization' of its own, and so carries no credential of \
                    HTTPAuthentication.HTTPDigest: leave it out.

                    """), "\(request.messages)")
            #expect(!request.messages.contains("YTpi"))
        }
    }

    @Test(arguments: [["token"], ["credential-helper", "curl", "--url"]])
    func `a program that needs a credential has the method of the challenge, too`(command: [String]) async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let url = mock.url.appending(path: "data").absoluteString
            let options = [
                "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPBasic", "--set",
                "servers=\(mock.url.absoluteString)",
            ]
            let run = await CommandBench.run(command + [url] + options)
            #expect(run.exit == CommandExit.refused)
            #expect(
                run.messages.contains("help: Name that method, alone or with others: '--method HTTPDigest'."), "\(run.messages)")
        }
    }

    @Test func `a response that is no challenge, and one that was answered, have no warning`() async throws {
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            let bench = try CommandBench()
            let request = await bench.run([
                "request", "--no-store", "--landscape", "HTTPAuthentication", "--method", "HTTPDigest", "--set",
                "servers=\(mock.url.absoluteString)", "--set", "user=alice", "--set-file",
                "password=\(try bench.write("wonderland", to: "password"))", mock.url.appending(path: "data").absoluteString,
            ])
            #expect(request.exit == ExitCode(0) && request.messages == "", "\(request.messages)")
        }
    }
}
