import CountersignSAP
import Foundation
import Testing

/// Errors name the key in the source's spelling, and the source by its own name.
@Suite struct ConfigurationPlaceTests {
    private func failure(of provider: any ConfigurationProviding, _ input: [String: Any] = [:]) throws -> ConfigurationError? {
        let loader = ConfigurationLoader(providers: [provider])
        let error = try #require(throws: ConfigurationLoadingError.self) { try loader.loadConfiguration(userInputs: input) }
        #expect(error.failures.first?.providerIdentifier == provider.providerIdentifier)
        return error.failures.first?.error as? ConfigurationError
    }

    private func withFile<Result>(_ name: String, _ text: String, _ body: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return try body(file)
    }

    private func configuration(_ config: String) -> String {
        #"{"auth":[{"type":"oauth2","config":\#(config)}],"host":"app.example"}"#
    }

    // MARK: Sources

    @Test func `what a loader misses is missing in the file, the text, the link or the managed configuration`() throws {
        let none = "{\"theme\":\"dark\"}"
        let fromFile = try withFile("nohost.json", none) { try failure(of: FileConfigurationProvider(file: $0)) }
        #expect(fromFile == .missingKey("host", source: "nohost.json"))
        #expect(fromFile?.failureReason == "nohost.json has no 'host'.")
        #expect(try failure(of: JSONConfigurationProvider(), ["JSONstring": none]) == .missingKey("host", source: "the text"))
        let link = "a.b://c?config=%7B%22theme%22%3A%22dark%22%7D"
        #expect(try failure(of: URLConfigurationProvider(), ["URLstring": link]) == .missingKey("host", source: "the link"))
        let opened = URLConfigurationProvider()
        #expect(opened.handle(try #require(URL(string: link))))
        #expect(try failure(of: opened) == .missingKey("host", source: "the link"))
        #expect(
            try failure(of: ManagedConfigurationProvider { ["theme": "dark"] })
                == .missingKey("host", source: "the managed configuration"))
    }

    @Test func `what is loaded keeps its source, for what is read from it later`() throws {
        let loaded = try withFile("server.json", #"{"host":"app.example"}"#) { file in
            try ConfigurationLoader(providers: [FileConfigurationProvider(file: file)]).loadConfiguration()
        }
        #expect(loaded.providerIdentifier == ConfigurationProviderNames.file)
        #expect(loaded.configuration.source == "server.json")
        let values = try loaded.configuration.values()
        #expect(throws: ConfigurationError.missingKey("oauth2.tokenEndpoint", source: "server.json")) {
            try values.requiredURL(["oauth2.tokenEndpoint"])
        }
    }

    @Test func `a provider of one's own names its source, or has its identifier for a name`() throws {
        struct Named: ConfigurationProviding {
            let providerIdentifier = "com.example.named"
            let configurationSource = "the cupboard"
            var expectedInput: [String: Any] { [:] }
            func provideConfiguration(
                input: [String: Any]
            ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) { (true, ["a": "b"], nil) }
        }
        #expect(try failure(of: Named()) == .missingKey("host", source: "the cupboard"))
    }

    // MARK: Keys

    @Test func `a client that does not say the way back is named by its place`() throws {
        let text = configuration(
            #"{"oauth2.clients":[{"clientID":"s","grantType":"client_credentials"},{"clientID":"a","grantType":"authorization_code"}]}"#
        )
        #expect(throws: ConfigurationError.missingKey("oauth2.clients[1].redirectURL", source: "the configuration")) {
            try Configurations.read(text)
        }
        let password = configuration(#"{"oauth2.clients":[{"clientID":"a","grantType":"password","passcode":"p"}]}"#)
        #expect(throws: ConfigurationError.missingKey("oauth2.clients[0].redirectURL", source: "the configuration")) {
            try Configurations.read(password)
        }
        // The flat form may set it for all clients.
        let flat = configuration(#"{"oauth2.redirectURL":"a.b://c","oauth2.clients":[{"clientID":"a"}]}"#)
        #expect(try Configurations.read(flat).values().values["oauth2.redirectURL"] == "a.b://c")
    }

    @Test(arguments: [
        "oauth2.xsuaaAuthorizationEndpoint", "oauth2.xsuaaAuthorizationURL", "oauth2.authorizationEndpoint",
        "oauth2.authorizationEndpointURL", "oauth2.tokenEndpoint", "oauth2.tokenEndpointURL", "oauth2.redirectURL",
        "saml2.web.post.finish.endpoint.uri", "otp.finish.endpoint.uri", "sls.loginURL",
        "com.sap.mobilesecure.certificateService.requestEndpoint",
    ])
    func `a wrong address is named by the key that is in the file`(key: String) throws {
        let wrong = [
            "5", "true", #""5""#, #""c4n4ry""#, #""""#, #"{"c4n4ry":1}"#, "[]", #""https://c4n4ry@app.example/""#,
            #""https://app.example/ c4n4ry""#, #""https://app.example/c4n4ry\u0000""#, #""javascript:c4n4ry""#,
            #""file:///c4n4ry""#, #""https:///c4n4ry""#, #""//c4n4ry.example/""#, #""ftp://c4n4ry.example""#,
        ]
        for value in wrong {
            let error = #expect(throws: ConfigurationError.self, "\(value)") {
                try Configurations.read(configuration("{\"\(key)\":\(value)}"))
            }
            guard case .invalidStructure(let detail, "the configuration")? = error else {
                Issue.record("\(value): \(String(describing: error))")
                continue
            }
            #expect(detail.hasPrefix("'\(key)' "))
            #expect(!detail.contains("c4n4ry"))
        }
        for value in ["https://app.example/a?b=c", "http://127.0.0.1:8080/a"] {
            _ = try Configurations.read(configuration("{\"\(key)\":\"\(value)\"}"))
        }
    }

    @Test func `a path is one of the server`() throws {
        let values = try Configurations.read(
            #"{"host":"app.example","auth":[{"type":"oauth2","config":{"oauth2.tokenEndpoint":"/token"}}]}"#
        ).values()
        #expect(try values.url(["oauth2.tokenEndpoint"])?.absoluteString == "https://app.example/token")
    }

    @Test(arguments: ["deviceID", "otp.authchallengeheader.value", "sls.subjectName", "com.example.anything"])
    func `what a parameter asks for is a text on one line, whatever its key`(key: String) throws {
        for value in [#"{"c4n4ry":1}"#, #"["c4n4ry"]"#, "[]", #""c4n4ry\r\nX-Other: 1""#] {
            let values = try Configurations.read("{\"host\":\"app.example\",\"\(key)\":\(value)}").values()
            let error = #expect(throws: ConfigurationError.self, "\(value)") { try values.text(["other", key]) }
            #expect(error?.failureReason?.hasPrefix("In the configuration, '\(key)' ") == true)
            #expect(error.map { everything(of: $0).contains("c4n4ry") } == false)
        }
    }

    @Test func `a client's redirect is looked at where it stands`() throws {
        for value in ["5", #""javascript:c4n4ry""#, #""c4n4ry""#, #""https://user:c4n4ry@app.example/""#, #""a.b://c d""#] {
            let text = configuration(#"{"oauth2.clients":[{"clientID":"a","redirectURL":\#(value)}]}"#)
            let error = #expect(throws: ConfigurationError.self) { try Configurations.read(text) }
            #expect(error?.failureReason?.contains("'oauth2.clients[0].redirectURL' ") == true)
            #expect(error?.failureReason?.contains("c4n4ry") == false)
        }
    }

    @Test(arguments: [
        #""appID":"""#,
        #""host":5"#, #""oauth2.clientID":"""#, #""appID":"c4n4ry\r\nX-Other: 1""#, #""oauth2.passcode":["c4n4ry"]"#,
        #""sls.loginURL":["c4n4ry"]"#, #""appID":18446744073709551615"#,
        #""Destinations":["c4n4ry"]"#, #""Destinations":{"orders":["c4n4ry"]}"#,
    ])
    func `a known key of another shape is no configuration`(entry: String) throws {
        let key = try #require(entry.split(separator: "\"").first)
        let rest = key == "host" ? "" : #""host":"app.example","#
        let error = #expect(throws: ConfigurationError.self) { try Configurations.read("{\(rest)\(entry)}") }
        #expect(error?.failureReason?.hasPrefix("In the configuration, '\(key)' ") == true, "\(String(describing: error))")
        #expect(error.map { everything(of: $0).contains("c4n4ry") } == false)
    }

    @Test func `a passcode of the flat form has a limit, too`() {
        let text = configuration(#"{"oauth2.passcode":"\#(String(repeating: "a", count: 1025))"}"#)
        #expect(throws: ConfigurationError.self) { try Configurations.read(text) }
    }

    @Test func `keys that nobody knows may be anything`() throws {
        let text = """
            {"host":"app.example","x":{"y":[1,{"z":null}]},"big":1e300,"beyond":18446744073709551615,
             "auth":[{"type":"oauth2","more":[],"config":{"oauth2.future":{"a":[]},"otp.future":[1,2]}}]}
            """
        let configuration = try Configurations.read(text)
        #expect(
            try JSONDecoder().decode(DiscoveryConfiguration.self, from: JSONEncoder().encode(configuration)).authentication == [
                .oauth2
            ])
        let none =
            #"<plist version="1.0"><dict><key>host</key><string>app.example</string><key>x</key><real>nan</real></dict></plist>"#
        let read = try Configurations.read(none)
        #expect(try Configurations.read(none) == read, "a value that is no number equals itself")
        _ = try JSONEncoder().encode(read)
    }

    @Test func `an entry of auth without a type is a missing key, and each is named by its number`() {
        #expect(throws: ConfigurationError.missingKey("auth[1].type", source: "the configuration")) {
            try Configurations.read(#"{"host":"app.example","auth":[{"type":"oauth2"},{"config":{}}]}"#)
        }
        #expect(throws: ConfigurationError.self) { try Configurations.read(#"{"host":"app.example","auth":[{"type":""}]}"#) }
    }
}
