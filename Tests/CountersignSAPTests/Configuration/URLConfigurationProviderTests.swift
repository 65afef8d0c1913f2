import CountersignSAP
import Foundation
import Testing

/// Links with a configuration (S2, "SSO Onboarding URL Behavior on Desktop and Mobile Device").
@Suite struct URLConfigurationProviderTests {
    private static let encoded =
        Configurations.scanned.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    private static let base64 = Data(Configurations.scanned.utf8).base64EncodedString()

    private func url(_ query: String) throws -> URL { try #require(URL(string: "com.example.app://onboard?\(query)")) }

    @Test(arguments: [
        encoded, base64, base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: ""),
        base64.replacing("+", with: "%2B").replacing("=", with: "%3D"),
    ])
    func `a link's configuration is read, in percent-encoded JSON or in Base64`(config: String) throws {
        let provider = URLConfigurationProvider()
        #expect(Array(provider.expectedInput.keys) == ["URLstring"])
        #expect(provider.handle(try url("a=b&config=\(config)&c=d#e")))
        #expect(provider.expectedInput.isEmpty)
        let answer = provider.provideConfiguration()
        #expect(answer.providerSuccess)
        #expect(answer.configuration["host"] as? String == "app.example")
        let direct = URLConfigurationProvider().provideConfiguration(
            input: ["URLstring": "https://app.example/x?config=\(config)"])
        #expect(direct.providerSuccess)
    }

    @Test func `a link without a configuration is left to others`() throws {
        let provider = URLConfigurationProvider()
        #expect(!provider.handle(try url("code=1")))
        #expect(provider.provideConfiguration().returnError as? ConfigurationError == .missingKey("URLstring", source: "the input"))
    }

    @Test(arguments: [
        ("config=%7B%7D&config=%7B%7D", "more than once"), ("config=", "neither JSON nor Base64"),
        ("config=%ff", "not percent-encoded"),
        ("config=c4n4ry!", "neither JSON nor Base64"), ("config=YzRuNHJ5", "not JSON"), ("config=%7Bc4n4ry", "not JSON"),
        ("config=%5B1%5D", "neither JSON nor Base64"), ("config=\(String(repeating: "a", count: 70_000))", "more than 65536 bytes"),
        ("config=%7B%22auth%22%3A1%7D", "'auth'"),
    ])
    func `a link that holds none is kept with what is wrong`(query: String, reason: String) throws {
        let provider = URLConfigurationProvider()
        let answer = provider.provideConfiguration(input: ["URLstring": "com.example.app://onboard?\(query)"])
        let error = try #require(answer.returnError as? ConfigurationError)
        #expect(error.failureReason?.contains(reason) == true, "\(error)")
        #expect(error.failureReason?.contains("the link") == true)
        #expect(!everything(of: error).contains("c4n4ry"))
        guard let url = URL(string: "com.example.app://onboard?\(query)") else { return }
        #expect(!provider.handle(url))
        #expect(provider.provideConfiguration().returnError as? ConfigurationError == error)
    }

    @Test func `a name that only ends in config, or stands in the fragment, is another`() throws {
        let provider = URLConfigurationProvider()
        for link in ["a://b?myconfig=%7B%7D", "a://b#?config=%7B%7D", "a://b/config=%7B%7D"] {
            let error = provider.provideConfiguration(input: ["URLstring": link]).returnError as? ConfigurationError
            #expect(error == .missingKey("config", source: "the link"))
        }
    }
}
