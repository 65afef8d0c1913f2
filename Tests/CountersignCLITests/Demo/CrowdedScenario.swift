import CountersignTesting
import Foundation

@testable import CountersignCLI

/// A scenario whose logins wait for each other at the launcher, so that none ends before all have begun.
///
/// Otherwise the first login could be so fast that a late challenge only causes a resend, whether authentications are shared or
/// not.
struct CrowdedScenario: DemoScenario {
    let base: any DemoScenario
    let logins: Int

    var method: String { base.method }

    func makeClient(for mock: MockLandscape, options: DemoClientOptions) throws -> any DemoClient {
        Client(base: try base.makeClient(for: mock, options: options), mock: mock, logins: logins)
    }

    private struct Client: DemoClient {
        let base: any DemoClient
        let mock: MockLandscape
        let logins: Int

        func probe(_ url: URL) async throws -> (status: Int, fields: [String: String]) { try await base.probe(url) }
        func get(_ url: URL) async throws -> Data { try await base.get(url) }
        func close() async { await base.close() }

        func endSession() {
            mock.hold("/SAMLAuthLauncher", until: logins)
            base.endSession()
        }
    }
}
