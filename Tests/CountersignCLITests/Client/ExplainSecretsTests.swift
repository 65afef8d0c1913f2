import ArgumentParser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The servers to which secrets can go, in `countersign explain`.
@Suite(.computes) struct ExplainSecretsTests {
    /// Returns the lines about secrets.
    private func secrets(_ landscape: String, _ method: String) async throws -> [String] {
        let explained = await CommandBench.run(["explain", "--landscape", landscape, method])
        #expect(explained.exit == ExitCode(0))
        let lines = explained.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let start = try #require(lines.firstIndex(of: "Where secrets can go"))
        return Array(lines[(start + 1)...].prefix { !$0.isEmpty })
    }

    @Test func `each secret is listed with the only servers that can receive it`() async throws {
        #expect(
            try await secrets("Keystone", "KeystonePassword") == [
                "  password",
                "    to {identityURL}: the JSON member /auth/identity/password/user/password of",
                "      POST {identityURL}/auth/tokens (step 3)",
                "  totpSecret: never leaves this process",
                "    only a one-time passcode, to {identityURL}: the JSON member",
                "      /auth/identity/totp/user/passcode of POST {identityURL}/auth/tokens (step",
                "      6)",
                "  credential.token",
                "    to {identityURL}: the field X-Auth-Token of DELETE {identityURL}/auth/tokens",
                "      (end 1); the field X-Subject-Token of DELETE {identityURL}/auth/tokens",
                "      (end 1)",
                "    to {cloud}: the field X-Auth-Token of requests",
                "  receipt",
                "    to {identityURL}: the field Openstack-Auth-Receipt of POST",
                "      {identityURL}/auth/tokens (step 6)",
                "  passcode",
                "    to {identityURL}: the JSON member /auth/identity/totp/user/passcode of POST",
                "      {identityURL}/auth/tokens (step 6)",
            ])
    }

    @Test func `a server that a challenge names is limited by the spec`() async throws {
        #expect(
            try await secrets("ContainerRegistry", "RegistryToken").prefix(3) == [
                "  password",
                "    to the server of the challenge, {tokenServers}: the field Authorization of",
                "      GET {realm} (step 1)",
            ])
    }

    @Test func `keys that only sign never leave the process`() async throws {
        #expect(
            try await secrets("Google", "ServiceAccount").prefix(3) == [
                "  key: never leaves this process",
                "    only a signature, to {tokenURL}: the form field assertion of POST {tokenURL}",
                "      (step 2)",
            ])
        // A digest has a hash of the password.
        let digest = try await secrets("HTTPAuthentication", "HTTPDigest")
        #expect(
            digest == [
                "  credential.password: never leaves this process",
                "    only a hash, to {servers}: the field Authorization of requests",
            ])
    }

    @Test func `cookies of the session go to the servers that set them`() async throws {
        let lines = try await secrets("SAPMobileServices", "SAML")
        #expect(lines == ["  credential.cookies", "    to the servers that set them: the cookies of requests"])
    }

    @Test func `a method without secrets says so`() async throws {
        #expect(try await secrets("HTTPAuthentication", "HTTPNegotiate") == ["  the method has none"])
    }

    @Test func `the same is written as JSON`() async throws {
        let explained = await CommandBench.run(["explain", "--landscape", "Google", "ServiceAccount", "--json"])
        let object = try explained.object()
        #expect(object["method"] as? String == "ServiceAccount" && object["variant"] == nil)
        let secrets = try #require(object["secrets"] as? [[String: Any]])
        let key = try #require(secrets.first)
        #expect(key["name"] as? String == "key" && key["source"] as? String == "parameter" && key["leaves"] as? Bool == false)
        let place = try #require((key["places"] as? [[String: Any]])?.first)
        #expect(place["form"] as? String == "signature" && place["part"] as? String == "form")
        #expect(place["name"] as? String == "assertion" && place["request"] as? String == "POST {tokenURL}")
        #expect(place["servers"] as? [String] == ["{tokenURL}"] && place["steps"] as? [String] == ["step 2"])
    }

    @Test func `JSON is only for a method`() async throws {
        for arguments in [["explain", "--json"], ["explain", "CS0201", "--json"]] {
            let explained = await CommandBench.run(arguments)
            #expect(explained.exit == CommandExit.usage)
            #expect(try explained.object()["error"] != nil)
        }
    }
}
