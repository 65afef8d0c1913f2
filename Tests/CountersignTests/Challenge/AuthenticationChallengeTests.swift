import Countersign
import HTTPTypes
import Testing

/// The parsing of challenges, their comparison, and their descriptions.
@Suite struct AuthenticationChallengeTests {
    private static func challenges(
        _ lines: String..., of field: AuthenticationChallenge.Field = .wwwAuthenticate
    ) -> [AuthenticationChallenge] {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .wwwAuthenticate, value: line)) }
        return AuthenticationChallenge.challenges(in: fields, of: field)
    }

    /// The examples of the RFCs, with long lines joined.
    private static let examples: [(String, [AuthenticationChallenge])] = [
        // RFC 9110, section 11.6.1
        (
            #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
            [
                .init(scheme: "Basic", parameters: ["realm": "simple"]),
                .init(scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
            ]
        ),
        // RFC 9110, section 11.6.1, with the challenges in reverse order: the comma before a scheme ends the parameters.
        (
            #"Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple""#,
            [
                .init(scheme: "Newauth", parameters: ["realm": "apps", "type": "1", "title": #"Login to "apps""#]),
                .init(scheme: "Basic", parameters: ["realm": "simple"]),
            ]
        ),
        // RFC 7617, section 2, and with a charset section 2.1
        (#"Basic realm="WallyWorld""#, [.init(scheme: "Basic", parameters: ["realm": "WallyWorld"])]),
        (#"Basic realm="foo", charset="UTF-8""#, [.init(scheme: "Basic", parameters: ["realm": "foo", "charset": "UTF-8"])]),
        // RFC 6750, section 3
        (#"Bearer realm="example""#, [.init(scheme: "Bearer", parameters: ["realm": "example"])]),
        (
            #"Bearer realm="example", error="invalid_token", error_description="The access token expired""#,
            [
                .init(
                    scheme: "Bearer",
                    parameters: [
                        "realm": "example", "error": "invalid_token", "error_description": "The access token expired",
                    ])
            ]
        ),
        // RFC 7616, section 3.9.1
        (
            #"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#,
            [
                .init(
                    scheme: "Digest",
                    parameters: [
                        "realm": "http-auth@example.org", "qop": "auth, auth-int", "algorithm": "SHA-256",
                        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
                        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
                    ])
            ]
        ),
        // RFC 4559, sections 4.1 and 5
        ("Negotiate", [.init(scheme: "Negotiate")]),
        ("Negotiate oYIBtjCCAbKgAwoBAQ==", [.init(scheme: "Negotiate", token68: "oYIBtjCCAbKgAwoBAQ==")]),
        // RFC 9449, section 7.1
        (
            #"DPoP error="invalid_token", error_description="Invalid DPoP key binding", algs="ES256""#,
            [
                .init(
                    scheme: "DPoP",
                    parameters: ["error": "invalid_token", "error_description": "Invalid DPoP key binding", "algs": "ES256"])
            ]
        ),
    ]

    @Test(arguments: examples)
    func `the examples of the RFCs are read`(_ line: String, _ challenges: [AuthenticationChallenge]) {
        #expect(Self.challenges(line) == challenges)
    }

    @Test(arguments: [
        // RFC 9110, section 5.6.1.2: empty elements of a list are ignored.
        (" , ,Bearer , ,, Basic realm=x, ,", ["Bearer", "Basic realm=x"]),
        ("Bearer ,,realm=x,,error=y", ["Bearer error=y realm=x"]),
        (",", []), ("", []), ("  ", []), (",,,", []),
        // RFC 9110, section 5.6.3: white space is spaces and tabs, around "=" too.
        ("\tBearer\t realm \t=\t \"x\" \t,\terror = y", ["Bearer error=y realm=x"]),
        ("Bearer", ["Bearer"]), ("Bearer ", ["Bearer"]), ("Bearer,Basic", ["Bearer", "Basic"]),
        ("Bearer ,Basic", ["Bearer", "Basic"]),
        ("bEARER REALM=X", ["bEARER realm=X"]),
        // A token68 (section 11.2) looks like a name, like a name without a value, or like neither.
        ("A b", ["A <b>"]), ("A b=", ["A <b=>"]), ("A b==", ["A <b==>"]), ("A b, C d=, E f==", ["A <b>", "C <d=>", "E <f==>"]),
        ("A b/c+d~e", ["A <b/c+d~e>"]), ("A b=c", ["A b=c"]), ("A b = c", ["A b=c"]), ("A b= c", ["A b=c"]),
        ("A b , c=d", ["A <b>"]), ("A B, C", ["A <B>", "C"]),
        // Quoted strings (section 5.6.4) can contain characters that otherwise have a meaning.
        (#"A b="c, D e=f", g=h"#, ["A b=c, D e=f g=h"]), (#"A b="", c=d"#, ["A b= c=d"]), (#"A b="\\\"\c""#, [#"A b=\"c"#]),
        ("A b=\"\t é ü\"", ["A b=\t é ü"]), ("A b='c', d=e", ["A b='c' d=e"]),
        // A comma and a word before "=" begin a parameter. Any other word begins a scheme.
        ("A b=c, D, e=f", ["A b=c", "D"]), ("A b=c, D , e=f", ["A b=c", "D e=f"]),
        ("A b=c, D e, F g=h", ["A b=c", "D <e>", "F g=h"]),
        // Names occur once (section 11.2), and the first one is used.
        ("A b=c, B=d", ["A b=c"]), ("A b=c, A b=d", ["A b=c", "A b=d"]),
    ])
    func `a line is read by the grammar`(_ line: String, _ challenges: [String]) {
        #expect(Self.challenges(line).map(\.summary) == challenges)
    }

    @Test(arguments: [
        // A part that ends at white space, a comma or the end of the line before the defect is kept, and nothing after it.
        // The comma between two parameters may be missing, but not that before a scheme.
        (#"Bearer realm="x" error="y""#, ["Bearer error=y realm=x"]), (#"Bearer realm=x Basic"#, ["Bearer realm=x"]),
        (#"Bearer realm="x" error="y" Basic realm="z""#, ["Bearer error=y realm=x"]),
        (#"Bearer realm="x" error="y", Basic realm="z""#, ["Bearer error=y realm=x", "Basic realm=z"]),
        (#"Bearer realm="x", error="y"#, ["Bearer realm=x"]), (#"Bearer realm="x", error="y\"#, ["Bearer realm=x"]),
        (#"Bearer realm="x"y, error=z"#, ["Bearer"]), (#"Bearer realm=x"y", error=z"#, ["Bearer"]),
        ("Bearer realm=x, error=", ["Bearer realm=x"]), ("Bearer realm=x, error=, a=b, Basic", ["Bearer realm=x"]),
        ("Bearer realm=x, =y, Basic", ["Bearer realm=x"]), ("Bearer realm=x, (), Basic", ["Bearer realm=x"]),
        ("Bearer ???", ["Bearer"]), ("Bearer a!b", ["Bearer"]), ("Bearer a b", ["Bearer <a>"]), ("Bearer a= =b", ["Bearer"]),
        ("Bearer a, b, =", ["Bearer <a>", "b"]),
        ("Bearer: realm=x", []), ("Bearer=x", []), ("Bearer =x", []), ("\"Bearer\" realm=x", []), ("Bearer@x realm=y", []),
        ("???", []), ("realm=x", []), ("realm=\"x\", Bearer", []), ("Bé realm=x", []),
        ("Bearer, realm=x", ["Bearer"]), ("Bearer, realm=x, Basic", ["Bearer"]),
    ])
    func `a line that breaks the grammar is read up to the defect`(_ line: String, _ challenges: [String]) {
        #expect(Self.challenges(line).map(\.summary) == challenges)
    }

    @Test(arguments: [
        (
            "Bearer resource_metadata=https://a.example/.well-known/oauth-protected-resource, scope=\"a b\"",
            ["Bearer resource_metadata=https://a.example/.well-known/oauth-protected-resource scope=a b"]
        ),
        (
            "Bearer realm=https://a.example:8443/token?x=1&y=%20z,service=registry, Basic realm=x",
            ["Bearer realm=https://a.example:8443/token?x=1&y=%20z service=registry", "Basic realm=x"]
        ),
        (
            "Bearer realm=https://a.example/t resource_id=https://b.example",
            ["Bearer realm=https://a.example/t resource_id=https://b.example"]
        ),
        ("Bearer realm=https://", ["Bearer realm=https://"]), ("Bearer realm=https:/a", ["Bearer"]),
        ("Bearer realm=://a", ["Bearer"]), ("Bearer https://a.example", ["Bearer"]),
        ("Bearer realm=https://a\"b\", error=c", ["Bearer"]),
    ])
    func `an absolute URL without quotes is a value`(_ line: String, _ challenges: [String]) {
        #expect(Self.challenges(line).map(\.summary) == challenges)
    }

    @Test func `each line of a field is read by itself, and in order`() {
        let challenges = Self.challenges("Negotiate", #"Bearer realm="x"#, "realm=y", "", "Basic realm=z, NTLM")
        #expect(challenges.map(\.summary) == ["Negotiate", "Bearer", "Basic realm=z", "NTLM"])
    }

    @Test func `the fields of servers and of proxies are distinguished`() {
        var fields: HTTPFields = [.wwwAuthenticate: "Bearer"]
        fields[.proxyAuthenticate] = "Basic realm=proxy"
        #expect(AuthenticationChallenge.challenges(in: fields).map(\.scheme) == ["Bearer"])
        #expect(AuthenticationChallenge.challenges(in: fields, of: .proxyAuthenticate).map(\.scheme) == ["Basic"])
        #expect(AuthenticationChallenge.challenges(in: [:], of: .proxyAuthenticate) == [])
        #expect(AuthenticationChallenge.Field.allCases.map(\.name.rawName) == ["WWW-Authenticate", "Proxy-Authenticate"])
    }

    @Test func `names have no case and values have`() throws {
        let challenge = try #require(Self.challenges("bearer ERROR=Invalid_Token").first)
        #expect(challenge.hasScheme("Bearer") && challenge.hasScheme("BEARER") && !challenge.hasScheme("Bearers"))
        #expect(challenge["Error"] == "Invalid_Token" && challenge["error"] == "Invalid_Token")
        #expect(challenge["errors"] == nil)
        #expect(AuthenticationChallenge(scheme: "A", parameters: ["Realm": "x"])["REALM"] == "x")
    }
}

extension AuthenticationChallenge {
    /// The scheme, `<token68>`, and the parameters sorted by name.
    fileprivate var summary: String {
        let parameters = parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        return ([scheme] + [token68.map { "<\($0)>" }].compactMap(\.self) + parameters).joined(separator: " ")
    }
}
