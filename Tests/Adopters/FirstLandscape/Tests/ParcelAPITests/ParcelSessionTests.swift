import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import ParcelAPI
import Testing

/// Types a wrong password first.
struct Typist: ParcelSessionPrompting {
    func userAndPassword(
        for prompt: CredentialPrompt
    ) async throws -> (user: String, password: String)? {
        ("alice", prompt.refusals == 0 ? "looking-glass" : "wonderland")
    }
}

@Test func `an expired token is obtained again`() async throws {
    try await DescribedMock.run(accepting: ["password": "wonderland"]) { url in
        ParcelSessionParameters(server: url)
    } test: { mock, parameters in
        let session = Session(transport: AsyncHTTPClientTransport())
        session.register(
            ParcelSessionObserver(parameters: parameters, prompting: Typist()))
        let parcels = SessionRequest(
            HTTPRequest(url: mock.url.appending(path: "parcels")))

        var response = try await session.send(parcels)
        #expect(response.head.status == .ok)
        #expect(mock.statistics.refusals == 1)

        mock.expireCredentials()
        response = try await session.send(parcels)
        #expect(response.head.status == .ok)
        #expect(mock.statistics.logins == 2)
        await session.invalidate(cancelling: true)
    }
}
