import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

/// The servers of a landscape, as the mock command shows them.
struct MockShow: Sendable {
    typealias Body = (_ url: URL, _ values: Values) async throws -> Void

    /// Names and values that a client needs.
    struct Values: ExpressibleByDictionaryLiteral {
        let pairs: [(name: String, value: String)]
        /// Sentences about values with which the mock is of no use.
        let warnings: [String]

        init(_ pairs: [(name: String, value: String)], warnings: [String] = []) {
            self.pairs = pairs
            self.warnings = warnings
        }

        init(dictionaryLiteral elements: (String, String)...) { self.init(elements.map { ($0, $1) }) }
    }

    let landscape: String
    let run: @Sendable (Body) async throws -> Void

    static let all: [MockShow] = [
        MockShow(landscape: "ContainerRegistry") { body in
            try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
                try await body(
                    mock.url.appending(path: "v2/alice/demo/tags/list"),
                    ["registries": "\(mock.url)", "tokenServers": "\(mock.tokenServer)", "user": "alice"])
            }
        },
        MockShow(landscape: "AmazonWebServices") { body in
            try await MockAmazonWebServices.run { mock in
                try await body(
                    mock.url.appending(path: "objects/one"),
                    [
                        "endpoints": "\(mock.url)", "tokenService": "\(mock.url)", "region": MockAmazonWebServices.region,
                        "service": MockAmazonWebServices.service, "role": MockAmazonWebServices.role,
                        "accessKeyID": MockAmazonWebServices.accessKeyID,
                        "secretAccessKey": MockAmazonWebServices.secretAccessKey,
                    ])
            }
        },
        MockShow(landscape: "FormLogin") { body in
            try await MockFormLogin.run { mock in
                try await body(mock.url.appending(path: "data"), ["loginURL": "\(mock.loginURL)", "user": "alice"])
            }
        },
        MockShow(landscape: "HTTPAuthentication") { body in
            try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
                try await body(mock.url.appending(path: "data"), ["servers": "\(mock.url)", "user": "alice"])
            }
        },
        MockShow(landscape: "Keystone") { body in
            try await MockKeystone.run { mock in
                try await body(
                    mock.url.appending(path: "servers"),
                    ["identityURL": "\(mock.identityURL)", "cloud": "\(mock.url)", "user": "alice"])
            }
        },
        MockShow(landscape: "ModelContextProtocol") { body in
            try await MockAuthorizationServer.run(options: ServerShow.resource) { server in
                try await body(
                    server.baseURL.appending(path: "mcp"),
                    [
                        "server": "\(server.baseURL.appending(path: "mcp"))", "issuers": "\(server.baseURL)",
                        "redirectURL": "http://127.0.0.1/callback",
                    ])
            }
        },
        MockShow(landscape: "OAuth") { body in
            try await MockAuthorizationServer.run { server in
                try await body(
                    server.baseURL.appending(path: "notes"),
                    [
                        "apis": "\(server.baseURL)", "authorizationURL": "\(server.authorizationEndpoint)",
                        "tokenURL": "\(server.tokenEndpoint)", "revocationURL": "\(server.revocationEndpoint)",
                        "clientID": MockOAuth2Client.app.id, "redirectURL": "http://127.0.0.1/callback",
                        "issuer": "\(server.baseURL)", "deviceURL": "\(server.deviceEndpoint)", "pages": "\(server.baseURL)",
                        "clientID of a device": MockOAuth2Client.device.id,
                    ])
            }
        },
        MockShow(landscape: "OpenIDConnect") { body in
            try await MockAuthorizationServer.run(options: ServerShow.provider) { server in
                try await body(
                    server.baseURL.appending(path: "notes"),
                    [
                        "apis": "\(server.baseURL)", "issuer": "\(server.baseURL)", "clientID": MockOAuth2Client.app.id,
                        "redirectURL": "http://127.0.0.1/callback", "clientID of a device": MockOAuth2Client.device.id,
                    ])
            }
        },
        MockShow(landscape: "SAMLECP") { body in
            try await MockSAMLECP.run { mock in
                try await body(
                    mock.url.appending(path: "data"),
                    ["servers": "\(mock.url)", "identityProviderURL": "\(mock.identityProviderURL)", "user": "alice"])
            }
        },
        MockShow(landscape: "SAPMobileServices") { body in
            try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
                // Of the methods, this one needs no browser.
                let request = """
                    COUNTERSIGN_PASSWORD=wonderland countersign request --no-store --landscape SAPMobileServices \
                    --method BasicAuthentication --set protectedURLs=\(mock.baseURL) --set user=alice \
                    --set-env password=COUNTERSIGN_PASSWORD \(mock.baseURL.appending(path: "resource/BasicAuthentication/data"))
                    """
                try await body(
                    mock.baseURL.appending(path: "backend"), ["backendURL": "\(mock.baseURL)", "try": request])
            }
        },
        MockShow(landscape: "Transmission") { body in
            try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
                let request = """
                    COUNTERSIGN_PASSWORD=wonderland countersign request --no-store --landscape Transmission \
                    --method HTTPBasic --method TransmissionSession --set servers=\(mock.url) --set server=\(mock.url) \
                    --set user=alice --set-env password=COUNTERSIGN_PASSWORD \(mock.url)
                    """
                try await body(
                    mock.url, ["servers": "\(mock.url)", "server": "\(mock.url)", "user": "alice", "try": request])
            }
        },
    ]
}
