import AmazonWebServices
import Foundation
import TestTurns
import Testing

/// Access keys of environment variables and of files as Amazon's tools write them.
@Suite(.takesTurns) struct SharedAccessKeyTests {
    /// Runs a function with a home folder that contains the folder `.aws` with these files.
    private func withHome(
        _ files: [String: String], _ body: (URL) throws -> Void
    ) throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "aws-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        try FileManager.default.createDirectory(at: home.appending(path: ".aws"), withIntermediateDirectories: true)
        for (name, text) in files { try Data(text.utf8).write(to: home.appending(path: ".aws/\(name)")) }
        try body(home)
    }

    private static let files = [
        "credentials": """
        # by hand
        [default]
        aws_access_key_id = AKID1
        aws_secret_access_key=s3cret+/=
        [work]
        AWS_ACCESS_KEY_ID = AKID2
        aws_secret_access_key = other
        aws_session_token = t0ken

        """,
        "config": """
        [default]
        region = eu-central-1
        s3 =
          max_concurrent_requests = 20
        ; another
        [profile work]
        region=eu-west-1
        [profile alone]
        aws_access_key_id = AKID3
        aws_secret_access_key = third
        [profile role]
        role_arn = arn:aws:iam::1:role/x
        """,
    ]

    @Test(
        arguments: [
            (nil, [:], ["AKID1", "s3cret+/=", "none", "eu-central-1"]),
            ("work", [:], ["AKID2", "other", "t0ken", "eu-west-1"]), ("alone", [:], ["AKID3", "third", "none", "none"]),
            (nil, ["AWS_PROFILE": "work", "AWS_REGION": "us-west-2"], ["AKID2", "other", "t0ken", "us-west-2"]),
            (nil, ["AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "envs3cret"], ["E", "envs3cret", "none", "none"]),
            ("work", ["AWS_ACCESS_KEY_ID": "E", "AWS_SECRET_ACCESS_KEY": "envs3cret"], ["AKID2", "other", "t0ken", "eu-west-1"]),
        ] as [(String?, [String: String], [String])])
    func `a key is that of the profile, or of the environment`(
        profile: String?, environment: [String: String], expected: [String]
    ) throws {
        try withHome(Self.files) { home in
            let key = try SharedAccessKey(profile: profile, environment: environment, home: home)
            #expect([key.id, key.secret, key.session ?? "none", key.region ?? "none"] == expected)
            #expect(!"\(key) \(String(reflecting: key))".contains(key.secret))
        }
    }

    @Test func `files can be elsewhere`() throws {
        try withHome(Self.files) { home in
            let environment = [
                "AWS_SHARED_CREDENTIALS_FILE": home.appending(path: ".aws/credentials").path(percentEncoded: false),
                "AWS_CONFIG_FILE": "/nonexistent",
            ]
            let key = try SharedAccessKey(environment: environment, home: URL(filePath: "/nonexistent"))
            #expect(key.id == "AKID1" && key.region == nil)
        }
    }

    @Test func `what is not there, or not whole, is an error without a secret`() throws {
        try withHome(Self.files) { home in
            #expect(throws: SharedAccessKeyError.missing(profile: "x")) {
                try SharedAccessKey(profile: "x", environment: [:], home: home)
            }
            #expect(throws: SharedAccessKeyError.incomplete(place: "the profile 'role'")) {
                try SharedAccessKey(profile: "role", environment: [:], home: home)
            }
            #expect(throws: SharedAccessKeyError.incomplete(place: "the environment")) {
                try SharedAccessKey(environment: ["AWS_ACCESS_KEY_ID": "E"], home: home)
            }
        }
        try withHome(["credentials": "[default]\naws_access_key_id = A\nc4n4ry\n"]) { home in
            let file = home.appending(path: ".aws/credentials").path(percentEncoded: false)
            let error = #expect(throws: SharedAccessKeyError.malformed(file: file, line: 3)) {
                try SharedAccessKey(environment: [:], home: home)
            }
            #expect(error.map { "\($0.localizedDescription)".contains("c4n4ry") } == false)
        }
        try withHome(["credentials": "aws_access_key_id = A\n"]) { home in
            #expect(throws: SharedAccessKeyError.self) { try SharedAccessKey(environment: [:], home: home) }
        }
        try withHome([:]) { home in
            try Data([0xFF, 0xFE, 0x00]).write(to: home.appending(path: ".aws/credentials"))
            #expect(throws: SharedAccessKeyError.self) { try SharedAccessKey(environment: [:], home: home) }
        }
    }

    @Test func `parameters have the key and the region of its profile`() throws {
        try withHome(Self.files) { home in
            let key = try SharedAccessKey(profile: "work", environment: [:], home: home)
            let endpoint = try #require(URL(string: "https://s3.example"))
            let parameters = AccessKeyParameters(endpoints: [endpoint], service: "s3", key: key)
            #expect(parameters.accessKeyID == "AKID2" && parameters.sessionToken == "t0ken" && parameters.region == "eu-west-1")
            #expect(AccessKeyParameters(endpoints: [endpoint], service: "s3", key: key, region: "x").region == "x")
        }
    }
}
