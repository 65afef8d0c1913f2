import CountersignTesting
import Foundation
import SAPMobileServices
import Synchronization
import TestTurns
import Testing

/// M36: each error of an observer of client certificates, as an application receives it.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct IdentityCaseTests {
    @Test(arguments: Observing.allCases) func `M36 every case of an observer of certificates is reached`(
        _ expected: Observing
    ) async throws { try await expected.expectToBeReached() }

    enum Observing: ReachableCase {
        case invalidUserIdentity, cancelled

        init(of error: UserIdentityObserverError) {
            switch error {
            case .invalidUserIdentity: self = .invalidUserIdentity
            case .cancelled: self = .cancelled
            }
        }

        func reach() async throws -> Ending {
            let error = Mutex<(any Error)?>(nil)
            try await IdentityBench.run { bench in
                let archive = self == .cancelled ? nil : Data("no archive, but c4n4ry".utf8)
                try bench.register(ScriptedIdentities(.success(archive)))
                let ending = await ErrorBench.error { _ = try await bench.user() }
                error.withLock { $0 = ending }
            }
            return Ending(error: error.withLock { $0 }, names: ["UserIdentity"])
        }
    }
}
