import CountersignTesting
import Foundation
import HTTPAuthentication
import HTTPTypes

extension ServerShow {
    /// A server with a password, of which only hashes are sent.
    static let digest = ServerShow(row: "HTTP Digest") { body in
        try await MockDigest.run(users: ["alice": "wonderland"]) { mock in
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "data"),
                    observer: HTTPDigestObserver(
                        parameters: HTTPDigestParameters(servers: [mock.url]), prompting: ScriptedUser(mock: mock)),
                    challengeField: .wwwAuthenticate, counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.changePasswords()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }
}

/// Enters the current password.
private struct ScriptedUser: HTTPDigestPrompting {
    let mock: MockDigest

    func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
        mock.password(of: "alice").map { ("alice", $0) }
    }
}
