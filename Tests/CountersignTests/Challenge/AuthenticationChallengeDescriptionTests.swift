import Testing

@testable import Countersign

/// RT-30: no description shows the secrets of a challenge.
@Suite struct AuthenticationChallengeDescriptionTests {
    private static func everything(of value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
        return ["\(value)", String(reflecting: value), dumped, children.joined(separator: ", ")]
    }

    @Test func `RT-30 values are shown of realm, error and scope alone`() {
        let canary = "c4n4ry"
        let challenge = AuthenticationChallenge(
            scheme: "Bearer",
            parameters: [
                "realm": "orders", "error": "invalid_token", "scope": "read write", "nonce": canary, "opaque": canary,
                "error_description": canary, "error_uri": canary,
            ])
        for text in Self.everything(of: challenge) + Self.everything(of: AuthenticationChallenge(scheme: "A", token68: canary)) {
            #expect(!text.contains(canary))
        }
        for text in Self.everything(of: challenge) {
            for shown in ["Bearer", "orders", "invalid_token", "read write", "nonce", "<redacted>"] {
                #expect(text.contains(shown))
            }
        }
        #expect(AuthenticationChallenge(scheme: "Negotiate", token68: canary).description == "Negotiate <redacted>")
        let short = AuthenticationChallenge(scheme: "Digest", parameters: ["realm": #"a "b""#, "nonce": canary])
        #expect(short.description == #"Digest nonce=<redacted>, realm="a \"b\"""#)
        #expect(short.debugDescription == short.description)
    }

    @Test func `what is shown is short and stays on its line`() {
        let long = String(repeating: "e\u{301}", count: 10_000)
        let challenge = AuthenticationChallenge(scheme: long, parameters: ["realm": long, long: "x"])
        for text in Self.everything(of: challenge) { #expect(text.unicodeScalars.count < 2000) }
        let nasty = AuthenticationChallenge(scheme: "A", parameters: ["realm": "a\n\u{1B}[2J\u{9B}\u{202E}\u{2028}b"])
        #expect(nasty.description == "A realm=\"a\u{FFFD}\u{FFFD}[2J\u{FFFD}\u{FFFD}\u{FFFD}b\"")
    }
}
