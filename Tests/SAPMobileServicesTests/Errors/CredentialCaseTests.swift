import CountersignTesting
import Foundation
import SAPMobileServices
import TestTurns
import Testing

/// M36: each error of the methods whose credential the application supplies, as the application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct CredentialCaseTests {
    @Test(arguments: Observing.allCases) func `M36 every error case of an observer is reached`(
        _ expected: Observing
    ) async throws { try await expected.expectToBeReached() }

    @Test(arguments: Discovery.allCases) func `M36 every case of a discovery without a result is reached`(
        _ expected: Discovery
    ) async throws { try await expected.expectToBeReached() }

    @Test(arguments: APIKey.allCases) func `M36 every case of API keys is reached`(_ expected: APIKey) async throws {
        try await expected.expectToBeReached()
    }

    private static func basic(_ discovery: any BasicCredentialDiscovery) async throws -> Ending {
        try await ErrorBench.run("BasicAuthentication") { bench in
            bench.session.register(BasicAuthenticationObserver(basicCredentialDiscovery: discovery))
            return bench.end(try await bench.request(), challengedWith: 401, naming: "BasicAuthentication")
        }
    }

    enum Observing: ReachableCase {
        case retryCountReached

        init(of error: AuthenticationObserverError) {
            switch error {
            case .retryCountReached: self = .retryCountReached
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .retryCountReached:
                try await basic(
                    ScriptedDiscovery(
                        ("alice", "c4n4ry-1"), ("alice", "c4n4ry-2"), ("alice", "c4n4ry-3"), ("alice", "c4n4ry-4")))
            }
        }
    }

    enum Discovery: ReachableCase {
        case cancelled, inconsistentState

        init(of error: BasicCredentialDiscoveryError) {
            switch error {
            case .cancelled: self = .cancelled
            case .inconsistentState: self = .inconsistentState
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .cancelled: try await basic(ScriptedDiscovery())
            case .inconsistentState: try await basic(ScriptedDiscovery(("al:ice", "c4n4ry")))
            }
        }
    }

    enum APIKey: ReachableCase {
        case invalidArgument, missingAPIKeyCredential, unauthorized, invalidAPIKeyCredential

        init(of error: APIKeyAuthenticationError) {
            switch error {
            case .invalidArgument: self = .invalidArgument
            case .missingAPIKeyCredential: self = .missingAPIKeyCredential
            case .unauthorized: self = .unauthorized
            case .invalidAPIKeyCredential: self = .invalidAPIKeyCredential
            }
        }

        func reach() async throws -> Ending {
            switch self {
            case .invalidArgument: try await requesting(with: ["c4n4ry\r\nX-Injected: 1"], challengedWith: nil)
            case .missingAPIKeyCredential: try await requesting(with: [], challengedWith: nil)
            case .unauthorized: try await requesting(with: [], anonymous: true, challengedWith: 401)
            case .invalidAPIKeyCredential: try await requesting(with: ["c4n4ry-1", "c4n4ry-2"], challengedWith: 403)
            }
        }

        private func requesting(
            with keys: [String], anonymous: Bool = false, challengedWith status: Int?
        ) async throws -> Ending {
            try await ErrorBench.run("APIKeyAuthentication") { bench in
                let config = APIKeyAuthenticationConfig(
                    apikeys: keys, isAPIKeyAccessOnly: true, allowAnonymousAccessFlag: anonymous)
                bench.session.register(
                    APIKeyAuthenticationObserver(
                        apikeyCredentialDiscovery: DefaultAPIKeyCredentialDiscovery(using: config), isAPIKeyAccessOnly: true))
                let error = try await bench.request()
                guard let status else { return bench.end(error, naming: "APIKeyAuthentication") }
                return bench.end(error, challengedWith: status, naming: "APIKeyAuthentication")
            }
        }
    }
}
