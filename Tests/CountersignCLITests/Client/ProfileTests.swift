import ArgumentParser
import CountersignSpec
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The file in which a user describes ways to sign in.
@Suite(.computes) struct ProfileTests {
    private func problem(_ text: String) -> String? {
        do {
            _ = try ProfileFile(text: text, path: "/p/profiles.yaml")
            return nil
        } catch { return "\(error)" }
    }

    @Test func `a profile names a landscape and its values`() throws {
        let file = try ProfileFile(
            text: """
                notes:
                  landscape: OAuth
                  url: https://api.example/v1/
                  key-file: keys/notes
                  values:
                    apis: [https://api.example, https://b.example]
                    clientID: notes
                    clientSecret: { env: SECRET }
                    password: { file: ~/p }
                own:
                  spec: specs/own

                """, path: "/p/profiles.yaml")
        let notes = try file.profile(named: "notes")
        #expect(notes.landscape == "OAuth" && notes.url?.absoluteString == "https://api.example/v1/")
        #expect(notes.keyFile == "/p/keys/notes")
        #expect(notes.values["apis"] == .texts(["https://api.example", "https://b.example"]))
        #expect(notes.values["clientSecret"] == .environment("SECRET"))
        #expect(try file.profile(named: "own").spec == "/p/specs/own")
        #expect(throws: CommandProblem.self) { try file.profile(named: "other") }
    }

    @Test(arguments: [
        ("a:\n  landscape: OAuth\n  metod: x\n", "/p/profiles.yaml:3:3: unknown profile key 'metod'"),
        ("a:\n  landscape: OAuth\n  spec: x\n", "/p/profiles.yaml:2:3: the profile 'a' needs either 'landscape' or 'spec'"),
        ("a: text\n", "/p/profiles.yaml:1:4: expected a mapping with the keys of the profile 'a'"),
        ("a:\n  landscape: OAuth\n  url: api\n", "/p/profiles.yaml:3:8: expected an absolute URL"),
        ("a:\n  landscape: OAuth\n  url: ftp://api.example/\n", "/p/profiles.yaml:3:8: expected an absolute URL"),
        ("a:\n  landscape: OAuth\n  url: https://a:b@api.example/\n", "/p/profiles.yaml:3:8: expected an absolute URL"),
        ("a:\n  landscape: OAuth\n  values: { x: { vault: y } }\n", "'env', 'file' and 'command', not 'vault'"),
        ("a: {\n", "/p/profiles.yaml:"),
        ("a:\n  landscape: OAuth\n  methods: A\n", "/p/profiles.yaml:3:12: expected a list of methods, such as [A, B]"),
        ("a:\n  landscape: OAuth\n  methods: []\n", "/p/profiles.yaml:3:12: expected a list of methods, such as [A, B]"),
        ("a:\n  landscape: OAuth\n  methods: [A, B, A]\n", "/p/profiles.yaml:3:19: the method 'A' is named twice"),
        (
            "a:\n  landscape: OAuth\n  method: A\n  methods: [B]\n",
            "/p/profiles.yaml:4:3: a profile has either 'method' or 'methods'"
        ),
    ])
    func `a mistake has its place`(text: String, message: String) {
        #expect(problem(text)?.contains(message) == true, "\(problem(text) ?? "none")")
    }

    @Test func `a profile has one method or several`() throws {
        let file = try ProfileFile(
            text: """
                one:
                  landscape: Transmission
                  method: HTTPBasic
                both:
                  landscape: Transmission
                  methods: [HTTPBasic, TransmissionSession]
                none:
                  landscape: Etcd

                """, path: "/p/profiles.yaml")
        #expect(try file.profile(named: "one").methods == ["HTTPBasic"])
        let both = try file.profile(named: "both")
        #expect(both.methods == ["HTTPBasic", "TransmissionSession"])
        #expect(both.places[.method("TransmissionSession")]?.line == 6)
        #expect(try file.profile(named: "none").methods.isEmpty)
    }

    @Test func `a value with the name of a method is for that method alone`() {
        var profile = Profile(name: "a")
        profile.values = [
            "url": .texts(["both"]), "SAML.url": .texts(["own"]), "OTP.name": .texts(["other"]), "Basic.name": .texts(["unknown"]),
        ]
        let (saml, names) = profile.narrowed(to: "SAML", among: ["SAML", "OTP"])
        #expect(saml.values == ["url": .texts(["own"]), "Basic.name": .texts(["unknown"])] && names == ["url"])
        let (otp, others) = profile.narrowed(to: "OTP", among: ["SAML", "OTP"])
        #expect(otp.values["url"] == .texts(["both"]) && otp.values["name"] == .texts(["other"]) && others == ["name"])
    }

    @Test func `a misspelt name has the nearest as its remedy`() throws {
        let key = #expect(throws: CommandProblem.self) {
            try ProfileFile(text: "a:\n  landscape: OAuth\n  metod: x\n", path: "/p/profiles.yaml")
        }
        #expect(key?.remedy?.hasPrefix("Did you mean 'method'? There are: base, ca-file, ") == true)
        let file = try ProfileFile(text: "notes:\n  landscape: OAuth\n", path: "/p/profiles.yaml")
        let profile = #expect(throws: CommandProblem.self) { try file.profile(named: "nots") }
        #expect(profile?.remedy == "Did you mean 'notes'? There are: notes." && profile?.exit == CommandExit.usage)
        let landscape = #expect(throws: CommandProblem.self) { try ShippedLandscapes.landscape(named: "oauth") }
        #expect(landscape?.remedy?.hasPrefix("Did you mean 'OAuth'? There are: AmazonWebServices, ") == true)
    }

    @Test func `a value comes from where it says, and what cannot be had is said without it`() async throws {
        #expect(try await Profile.Source.command("printf 'a\\n'").texts(of: "x") == ["a"])
        await #expect(throws: CommandProblem.self) { try await Profile.Source.command("exit 3").texts(of: "x") }
        await #expect(throws: CommandProblem.self) { try await Profile.Source.environment("NOT_SET_ANYWHERE").texts(of: "x") }
        await #expect(throws: CommandProblem.self) { try await Profile.Source.file("/not/there").texts(of: "x") }
    }
}
