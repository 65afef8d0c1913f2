import Countersign
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of reading a configuration, as an application receives it.
@Suite(.takesTurns) struct ConfigurationCaseTests {
    @Test(arguments: Case.allCases) func `M36 every case is reached, and says what happened, where and what to do`(
        _ expected: Case
    ) async throws { try await expected.expectToBeReached() }

    enum Case: ReachableCase {
        case missingKey, invalidStructure

        init(of error: ConfigurationError) {
            switch error {
            case .missingKey: self = .missingKey
            case .invalidStructure: self = .invalidStructure
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .missingKey:
                let config = ["oauth2.authorizationEndpoint": "https://app.example/authorize", "oauth2.clientID": "c4n4ry"]
                let error = await ErrorBench.error {
                    _ = try OAuth2AuthenticationParameters(
                        discoveryServiceConfig: ["host": "app.example", "auth": [["type": "oauth2", "config": config]]])
                }
                return Ending(error: error, names: ["oauth2.redirectURL", "configuration"])
            case .invalidStructure:
                let file = FileManager.default.temporaryDirectory.appending(path: "countersign-\(UUID()).json")
                try Data(#"{"auth":[{"type":"oauth2","config":{"oauth2.passcode":"c4n4ry"}}"#.utf8).write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                let error = await ErrorBench.error {
                    _ = try DiscoveryConfiguration(data: try Data(contentsOf: file), source: file.lastPathComponent)
                }
                return Ending(error: error, names: [file.lastPathComponent])
            }
        }
    }

    /// An application's own provider, whose error quotes the input.
    private struct Quoting: ConfigurationProviding {
        struct Broken: Error { let text = "c4n4ry" }
        let providerIdentifier = "com.example.quoting"
        var expectedInput: [String: Any] { [:] }
        func provideConfiguration(
            input: [String: Any]
        ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
            (false, NSDictionary(), Broken())
        }
    }

    @Test func `M36 the errors of all providers are reported, and no value is quoted`() async throws {
        let providers: [any ConfigurationProviding] = [
            JSONConfigurationProvider(), ManagedConfigurationProvider { nil }, FileConfigurationProvider(),
        ]
        for asked in [providers, [], [Quoting()]] {
            let error = try #require(throws: ConfigurationLoadingError.self) {
                try ConfigurationLoader(providers: asked).loadConfiguration(userInputs: ["JSONstring": #"{"host":"c4n4ry"#])
            }
            #expect(error.failures.count == asked.count)
            let texts = asked.map(\.providerIdentifier)
            #expect(texts.allSatisfy { error.description.contains($0) })
            for text in [error.errorDescription, error.failureReason, error.recoverySuggestion] {
                #expect(text?.isEmpty == false && text?.last == ".", "\(text ?? "nil")")
            }
            let everything = "\(error) \(String(reflecting: error)) \(error.localizedDescription)"
            #expect(!everything.contains("c4n4ry"), "\(everything)")
        }
    }
}
