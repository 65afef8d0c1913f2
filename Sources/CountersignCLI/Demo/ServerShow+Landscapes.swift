import ContainerRegistry
import Countersign
import CountersignTesting
import Foundation
import Transmission

extension ServerShow {
    /// Transmission, whose server first asks for a password, then answers each request without its session id by the id.
    static let transmission = ServerShow(row: "Transmission") { body in
        try await MockTransmission.run(users: ["alice": "wonderland"]) { mock in
            try await body(
                DemoServer(
                    url: mock.url,
                    observers: [
                        HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [mock.url]), prompting: Person()),
                        TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [mock.url])),
                    ],
                    challenge: "409 x-transmission-session-id", counts: { (mock.statistics.conflicts, mock.statistics.sends) },
                    spoil: {
                        mock.changeSession()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// A container registry, whose challenge names the token server and the scope.
    static let containerRegistry = ServerShow(row: "Registry token") { body in
        try await MockRegistry.run(users: ["alice": "wonderland"]) { mock in
            let parameters = RegistryTokenParameters(
                registries: [mock.url], tokenServers: [mock.tokenServer], user: "alice", password: "wonderland")
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "v2/alice/demo/tags/list"),
                    observers: [RegistryTokenObserver(parameters: parameters)],
                    challenge: "401 www-authenticate: Bearer realm, service, scope",
                    counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetTokens()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }
}

/// Types the password.
private struct Person: HTTPBasicPrompting {
    func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
        ("alice", "wonderland")
    }
}
