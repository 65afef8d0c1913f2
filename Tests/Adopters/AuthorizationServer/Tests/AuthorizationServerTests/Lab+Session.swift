import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Testing

extension Lab {
    /// Runs a function with a session that trusts the lab, and then ends the session.
    func run(
        _ observer: any SessionObserver, presenter: SecondFactorPresenter = SecondFactorPresenter(.alice),
        _ body: (Session, RecordedEvents) async throws -> Void
    ) async throws {
        let events = RecordedEvents()
        var transport = AsyncHTTPClientTransport.Configuration()
        transport.trustRoots = .file(root)
        var configuration = SessionConfiguration()
        configuration.presenter = presenter
        configuration.eventObservers = [events]
        let session = Session(configuration: configuration, transport: AsyncHTTPClientTransport(configuration: transport))
        session.register(observer)
        do {
            try await body(session, events)
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
    }

    /// Returns the name of the user who has logged in, or the status code of a refusal.
    func who(_ session: Session) async throws -> String {
        struct Answer: Decodable { let sub: String }
        let response = try await session.send(SessionRequest(HTTPRequest(url: userinfo)))
        let body = Data(try await response.body.collect(upTo: 65_536))
        guard response.head.status == .ok else { return "\(response.head.status.code)" }
        return try JSONDecoder().decode(Answer.self, from: body).sub
    }
}
