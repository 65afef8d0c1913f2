import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

/// The servers of a landscape, as the mock command shows them.
struct MockShow: Sendable {
    typealias Body = (_ url: URL, _ values: Values) async throws -> Void

    /// Names and values that a client needs.
    struct Values {
        typealias Pair = (name: String, value: String)

        let pairs: [Pair]
        /// Sentences about values with which the mock is of no use.
        let warnings: [String]

        init(_ pairs: [Pair], warnings: [String] = []) {
            self.pairs = pairs
            self.warnings = warnings
        }

        /// - Parameter request: A request with the values, as a command.
        init(_ pairs: [Pair], request: String) { self.init(pairs + [("try", request)]) }
    }

    let landscape: String
    let run: @Sendable (Body) async throws -> Void

    static let all: [MockShow] = [
        MockShow(landscape: "ContainerRegistry") { body in
            try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
                let url = mock.url.appending(path: "v2/alice/demo/tags/list")
                let values: [Values.Pair] = [
                    ("registries", "\(mock.url)"), ("tokenServers", "\(mock.tokenServer)"), ("user", "alice"),
                ]
                try await body(url, Values(values, request: Self.request("ContainerRegistry", values, at: url)))
            }
        },
        MockShow(landscape: "AmazonWebServices") { body in
            try await MockAmazonWebServices.run { mock in
                let url = mock.url.appending(path: "objects/one")
                let values: [Values.Pair] = [
                    ("endpoints", "\(mock.url)"), ("tokenService", "\(mock.url)"), ("region", MockAmazonWebServices.region),
                    ("service", MockAmazonWebServices.service), ("role", MockAmazonWebServices.role),
                    ("accessKeyID", MockAmazonWebServices.accessKeyID),
                ]
                let secret: Values.Pair = ("secretAccessKey", MockAmazonWebServices.secretAccessKey)
                let request = Self.request("AmazonWebServices", methods: ["AssumedRole"], values, secrets: [secret], at: url)
                try await body(url, Values(values + [secret], request: request))
            }
        },
        MockShow(landscape: "FormLogin") { body in
            try await MockFormLogin.run { mock in
                let url = mock.url.appending(path: "data")
                let values: [Values.Pair] = [("loginURL", "\(mock.loginURL)"), ("user", "alice")]
                try await body(url, Values(values, request: Self.request("FormLogin", methods: ["FormLogin"], values, at: url)))
            }
        },
        MockShow(landscape: "HTTPAuthentication") { body in
            try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
                let url = mock.url.appending(path: "data")
                let values: [Values.Pair] = [("servers", "\(mock.url)"), ("user", "alice")]
                let request = Self.request("HTTPAuthentication", methods: ["HTTPDigest"], values, at: url)
                try await body(url, Values(values, request: request))
            }
        },
        MockShow(landscape: "Keystone") { body in
            try await MockKeystone.run { mock in
                let url = mock.url.appending(path: "servers")
                let values: [Values.Pair] = [
                    ("identityURL", "\(mock.identityURL)"), ("cloud", "\(mock.url)"), ("user", "alice"),
                ]
                try await body(url, Values(values, request: Self.request("Keystone", values, at: url)))
            }
        },
        MockShow(landscape: "ModelContextProtocol") { body in
            try await MockAuthorizationServer.run(options: ServerShow.resource) { server in
                let url = server.baseURL.appending(path: "mcp")
                let values: [Values.Pair] = [("server", "\(url)"), ("issuers", "\(server.baseURL)")]
                let request = Self.request("ModelContextProtocol", ofServiceBy: "MCPService", values, at: url)
                let others: [Values.Pair] = [
                    ("redirectURL", "http://127.0.0.1/callback"), ("clientID of a service", MockOAuth2Client.service.id),
                ]
                try await body(url, Values(values + others, request: request))
            }
        },
        MockShow(landscape: "OAuth") { body in
            try await MockAuthorizationServer.run { server in
                let url = server.baseURL.appending(path: "notes")
                let values: [Values.Pair] = [("apis", "\(server.baseURL)"), ("tokenURL", "\(server.tokenEndpoint)")]
                let request = Self.request("OAuth", ofServiceBy: "ClientCredentials", values, at: url)
                let others: [Values.Pair] = [
                    ("authorizationURL", "\(server.authorizationEndpoint)"), ("revocationURL", "\(server.revocationEndpoint)"),
                    ("clientID", MockOAuth2Client.app.id), ("redirectURL", "http://127.0.0.1/callback"),
                    ("issuer", "\(server.baseURL)"), ("deviceURL", "\(server.deviceEndpoint)"), ("pages", "\(server.baseURL)"),
                    ("clientID of a device", MockOAuth2Client.device.id), ("clientID of a service", MockOAuth2Client.service.id),
                ]
                try await body(url, Values(values + others, request: request))
            }
        },
        MockShow(landscape: "OpenIDConnect") { body in
            try await MockAuthorizationServer.run(options: ServerShow.provider) { server in
                let url = server.baseURL.appending(path: "notes")
                let values: [Values.Pair] = [("apis", "\(server.baseURL)"), ("issuer", "\(server.baseURL)")]
                let request = Self.request("OpenIDConnect", ofServiceBy: "OpenIDService", values, at: url)
                let others: [Values.Pair] = [
                    ("clientID", MockOAuth2Client.app.id), ("redirectURL", "http://127.0.0.1/callback"),
                    ("clientID of a device", MockOAuth2Client.device.id), ("clientID of a service", MockOAuth2Client.service.id),
                ]
                try await body(url, Values(values + others, request: request))
            }
        },
        MockShow(landscape: "SAMLECP") { body in
            try await MockSAMLECP.run { mock in
                let url = mock.url.appending(path: "data")
                let values: [Values.Pair] = [
                    ("servers", "\(mock.url)"), ("identityProviderURL", "\(mock.identityProviderURL)"), ("user", "alice"),
                ]
                try await body(url, Values(values, request: Self.request("SAMLECP", values, at: url)))
            }
        },
        MockShow(landscape: "SAPMobileServices") { body in
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
                // Of the methods, this one needs no browser.
                let request = Self.request(
                    "SAPMobileServices", methods: ["BasicAuthentication"],
                    [("protectedURLs", "\(mock.baseURL)"), ("user", "alice")],
                    at: mock.baseURL.appending(path: "resource/BasicAuthentication/data"))
                let values: [Values.Pair] = [("backendURL", "\(mock.baseURL)")]
                try await body(mock.baseURL.appending(path: "backend"), Values(values, request: request))
            }
        },
        MockShow(landscape: "Transmission") { body in
            try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
                let values: [Values.Pair] = [("servers", "\(mock.url)"), ("server", "\(mock.url)"), ("user", "alice")]
                let request = Self.request("Transmission", methods: ["HTTPBasic", "TransmissionSession"], values, at: mock.url)
                try await body(mock.url, Values(values, request: request))
            }
        },
    ]
}
