import CountersignSAP
import Foundation
import Testing

/// The providers, as an application calls them.
@Suite struct ConfigurationProviderTests {
    private let json = ConfigurationProviderInputKeys.JSONstring.rawValue

    private func host(_ configuration: NSDictionary) -> String? { configuration["host"] as? String }

    @Test func `text is read under the key that the provider expects`() throws {
        let provider = JSONConfigurationProvider()
        #expect(provider.providerIdentifier == "com.sap.configuration.provider.json")
        #expect(Array(provider.expectedInput.keys) == ["JSONstring"])
        let answer = provider.provideConfiguration(input: [json: Configurations.cloudFoundry])
        #expect(answer.providerSuccess && answer.returnError == nil)
        #expect(host(answer.configuration) == "app.example")
        let parsed = try DiscoveryConfiguration(discoveryServiceConfig: answer.configuration)
        #expect(try parsed == Configurations.read(Configurations.cloudFoundry))
    }

    @Test func `a text that is missing, of another kind or no JSON is an error`() {
        let provider = JSONConfigurationProvider()
        let missing = provider.provideConfiguration()
        #expect(missing.returnError as? ConfigurationError == .missingKey("JSONstring", source: "the input"))
        #expect(!missing.providerSuccess && missing.configuration.count == 0)
        for value in [7, ["a"], "c4n4ry", "{\"auth\":1}"] as [Any] {
            let error = provider.provideConfiguration(input: [json: value]).returnError as? ConfigurationError
            #expect(error?.code == "invalidStructure")
            #expect(error.map { everything(of: $0).contains("c4n4ry") } == false)
        }
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `a property list of either format is read`(format: PropertyListSerialization.PropertyListFormat) throws {
        let configuration: [String: Any] = [
            "auth": [
                [
                    "type": "oauth2",
                    "config": [
                        "oauth2.tokenEndpoint": "https://app.example/token",
                        "oauth2.clients": [["clientID": "c0de", "grantType": "authorization_code", "redirectURL": "a.b://c"]],
                    ],
                ]
            ],
            "host": "app.example", "protocol": "https", "port": 8443, "date": Date(timeIntervalSince1970: 0), "data": Data([1]),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: configuration, format: format, options: 0)
        try withFile("ConfigurationProvider.plist", data) { file in
            let provider = FileConfigurationProvider(file: file)
            #expect(provider.providerIdentifier == ConfigurationProviderNames.file && provider.expectedInput.isEmpty)
            let answer = provider.provideConfiguration()
            #expect(answer.providerSuccess)
            let values = try ConfigurationValues(discoveryServiceConfig: answer.configuration)
            #expect(values.baseURL?.absoluteString == "https://app.example:8443")
            #expect(values.values["oauth2.clientID"] == "c0de")
        }
    }

    @Test func `a file of JSON is read, whatever its name`() throws {
        try withFile("exported", Data((" \n" + Configurations.cloudFoundry).utf8)) { file in
            #expect(host(FileConfigurationProvider(file: file).provideConfiguration().configuration) == "app.example")
        }
    }

    @Test func `a file that is not there, is a folder, is too long or is something else is an error that names it`() throws {
        let absent = FileConfigurationProvider(resource: "NoSuchConfiguration").provideConfiguration().returnError
        #expect((absent as? ConfigurationError)?.failureReason?.contains("NoSuchConfiguration.plist") == true)
        let folder = FileConfigurationProvider(file: FileManager.default.temporaryDirectory).provideConfiguration().returnError
        #expect((folder as? ConfigurationError)?.code == "invalidStructure")
        for data in [Data(count: 2 << 20), Data("bplist00c4n4ry".utf8), Data("<plist>c4n4ry".utf8), Data([0xFF, 0xFE])] {
            try withFile("broken.plist", data) { file in
                let error = FileConfigurationProvider(file: file).provideConfiguration().returnError as? ConfigurationError
                #expect(error?.failureReason?.contains("broken.plist") == true)
                #expect(error.map { everything(of: $0).contains("c4n4ry") } == false)
            }
        }
    }

    @Test func `device management's settings are asked for each time`() {
        let clock = ManualClock()
        let provider = ManagedConfigurationProvider { clock.now.offset == .zero ? nil : ["host": "managed.example"] }
        #expect(provider.providerIdentifier == ConfigurationProviderNames.managed)
        #expect(!provider.provideConfiguration().providerSuccess)
        clock.advance(by: .seconds(1))
        #expect(host(provider.provideConfiguration().configuration) == "managed.example")
    }

    private func withFile(_ name: String, _ data: Data, _ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: name)
        try data.write(to: file)
        try body(file)
    }
}
