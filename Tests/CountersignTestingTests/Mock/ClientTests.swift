import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

/// The runtime against the mock: a correct description logs in, and a wrong one fails as it would at the real server.
@Suite(.takesTurns) struct ClientTests {
    /// Logs in with a description, and requests a resource.
    private func resource(_ sample: SampleLandscape, password: String = "wonderland") async throws -> MockResource {
        try await MockLandscape.run(sample.landscape, rules: sample.rules) { mock in
            var configuration = SessionConfiguration()
            configuration.presenter = FormFillingPresenter(user: "alice", password: password)
            let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport())
            session.register(sample.observer(at: mock.baseURL))
            do {
                let request = HTTPRequest(
                    method: .get, scheme: "http", authority: "127.0.0.1:\(mock.baseURL.port ?? 0)", path: "/resource")
                let response = try await session.send(SessionRequest(request))
                let bytes = try await response.body.collect(upTo: 64 * 1024)
                await session.invalidate(cancelling: true)
                #expect(mock.statistics.logins == 1)
                #expect(mock.statistics.strayCookies == 0)
                return try JSONDecoder().decode(MockResource.self, from: Data(bytes))
            } catch {
                await session.invalidate(cancelling: true)
                throw error
            }
        }
    }

    @Test func `a right description signs in`() async throws {
        #expect(try await resource(SampleLandscape()).user == "alice")
    }

    @Test func `a login may end at the resource that was asked for`() async throws {
        let sample = SampleLandscape(rules: .described, launcher: "/begin", finish: "/resource")
        #expect(try await resource(sample).user == "alice")
    }

    @Test(arguments: [
        SampleLandscape(launcher: "/SAMLLauncher"),
        SampleLandscape(finish: "/SAMLAuthLauncher?finished=true"),
        SampleLandscape(finish: "/done?finishEndpointParam=someUnusedValue"),
    ])
    func `a described address that the server does not have fails`(sample: SampleLandscape) async throws {
        await #expect(throws: (any Error).self) { _ = try await resource(sample) }
    }

    @Test func `a wrong password fails`() async throws {
        await #expect(throws: (any Error).self) { _ = try await resource(SampleLandscape(), password: "alice") }
    }
}
