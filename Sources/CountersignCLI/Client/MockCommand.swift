import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting

/// Serves a landscape on this machine, for trying clients.
struct MockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mock", abstract: "Serves a mock of a landscape on this machine until Ctrl-C, and shows the requests to it.",
        discussion: """
            The servers know the user 'alice' with the password 'wonderland'. They listen on 127.0.0.1, on ports that the system chooses; \
            nothing is stored.

            Example: countersign mock Keystone
            """)

    @Argument(
        help: ArgumentHelp("The landscape: \(Self.landscapes.joined(separator: ", ")).", valueName: "landscape"),
        completion: .list(Self.landscapes))
    var landscape: String

    /// The landscapes with a mock.
    static let landscapes = MockShow.all.map(\.landscape)

    func run() async throws { try await run(console: .standard, until: { try await Task.sleep(for: .seconds(1 << 31)) }) }

    /// - Parameter end: Returns, or throws, when the servers are to stop.
    func run(console: Console, until end: @escaping @Sendable () async throws -> Void) async throws {
        guard let show = MockShow.all.first(where: { $0.landscape.lowercased() == landscape.lowercased() }) else {
            ClientFailure(
                CommandProblem(
                    "There is no mock of '\(VisibleText.escaped(landscape))'.",
                    remedy: "There are: \(Self.landscapes.joined(separator: ", ")).", exit: CommandExit.usage)
            ).show(on: console)
            throw CommandExit.usage
        }
        let log = MockRequestLog { entry in
            console.message(
                VisibleText.escaped("\(entry.status) \(entry.method) \(entry.authority)\(entry.path)"))
        }
        let task = Task {
            try await MockRequestLog.$current.withValue(log) {
                try await show.run { address, values in
                    try await log.serve(titled: "Mock of \(show.landscape)") { page in
                        try console.print("url: \(address.absoluteString)")
                        for (name, value) in values { try console.print("\(name): \(value)") }
                        try console.print("page: \(page.absoluteString)")
                        console.message("Serving until Ctrl-C.")
                        try await end()
                    }
                }
            }
        }
        let interrupt = Interrupt()
        interrupt.cancel(with: task.cancel)
        defer { interrupt.stop() }
        do {
            try await task.value
        } catch is CancellationError {
            console.message("Stopped.")
        }
    }
}

/// The servers of a landscape, as the mock command shows them.
private struct MockShow: Sendable {
    typealias Body = (_ url: URL, _ values: KeyValuePairs<String, String>) async throws -> Void

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
                try await body(mock.baseURL.appending(path: "backend"), ["backendURL": "\(mock.baseURL)"])
            }
        },
        MockShow(landscape: "Transmission") { body in
            try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
                try await body(mock.url, ["server": "\(mock.url)", "user": "alice"])
            }
        },
    ]
}
