import CountersignSAP
import Foundation
import Testing

struct DiscoveryServiceTests {
    private struct Parameters: DiscoveryServiceConfigurable {
        let endpoint: URL

        init(configuration: ConfigurationValues) throws {
            endpoint = try configuration.requiredURL(["oauth2.tokenEndpoint"])
        }
    }

    @Test func `a configuration as it is documented is read`() throws {
        let configuration: [String: Any] = [
            "auth": [
                [
                    "type": "oauth2",
                    "config": [
                        "oauth2.tokenEndpoint": "/oauth/token", "oauth2.clients": [["clientID": "x", "redirectURL": "a.b://c"]],
                        "limit": 3, "isOn": true,
                    ],
                ]
            ],
            "host": "server.example", "protocol": "https", "port": 8443,
        ]
        let values = try ConfigurationValues(discoveryServiceConfig: configuration)
        #expect(values.baseURL?.absoluteString == "https://server.example:8443")
        #expect(values.values["oauth2.tokenEndpoint"] == "/oauth/token")
        #expect(values.values["limit"] == "3")
        #expect(values.values["isOn"] == "true")
        #expect(
            try Parameters(discoveryServiceConfig: configuration).endpoint.absoluteString
                == "https://server.example:8443/oauth/token")
        let old = try #require(NSDictionary(dictionary: configuration) as NSDictionary?)
        #expect(try ConfigurationValues(discoveryServiceConfig: old).baseURL == values.baseURL)
    }

    @Test func `the dictionary of a property list and of JSON is read`() throws {
        let text = #"{"auth":[{"type":"saml2.web.post","config":{"a":"b","n":7,"f":false}}],"host":"h.example","port":443}"#
        let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let values = try ConfigurationValues(discoveryServiceConfig: json)
        #expect(values.values["a"] == "b")
        #expect(values.values["n"] == "7")
        #expect(values.values["f"] == "false")
        #expect(values.baseURL?.host == "h.example")
    }

    @Test func `what has another shape is an error that says what`() throws {
        let broken: [(Any, String)] = [
            ("text", "the top"), (["auth": "x"], "'auth'"), (["auth": [["config": 1]]], "'auth[0].config'"),
            (["host": "h.example", "port": 0], "'port'"), (["host": "h.example", "port": "x"], "'port'"),
            (["host": "h.example", "protocol": "ftp"], "'protocol'"),
            (["host": "h.example", "protocol": "https://"], "'protocol'"),
            (["host": "h.example", "protocol": ""], "'protocol'"), (["host": "h.example", "protocol": "ht tp"], "'protocol'"),
            (["host": "h.example", "protocol": 1], "'protocol'"),
            (["host": ["h.example"]], "'host'"), (["host": "h.example/path"], "'host'"), (["host": "user@h.example"], "'host'"),
        ]
        for (configuration, word) in broken {
            let error = #expect(throws: ConfigurationError.self) { try ConfigurationValues(discoveryServiceConfig: configuration) }
            guard case .invalidStructure(let detail, _)? = error else {
                Issue.record("\(word) should have been a wrong structure")
                continue
            }
            #expect(detail.contains(word))
        }
        #expect(throws: ConfigurationError.self) { try Parameters(discoveryServiceConfig: ["host": "h.example"]) }
    }

    @Test func `an error of the SDK needs no texts`() {
        enum Failure: SAPError {
            case one
            var description: String { "one" }
            var debugDescription: String { "one" }
        }
        let failure: any SAPError = Failure.one
        #expect(failure.errorDescription == nil && failure.failureReason == nil)
        #expect(failure.recoverySuggestion == nil && failure.helpAnchor == nil)
    }
}
