import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Testing

extension Lab {
    /// Does something with a session that trusts the lab, and ends the session then.
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

    /// The name of the user who has logged in; the status where that is refused.
    func who(_ session: Session) async throws -> String {
        struct Answer: Decodable { let sub: String }
        let response = try await session.send(SessionRequest(HTTPRequest(url: userinfo)))
        let body = Data(try await response.body.collect(upTo: 65_536))
        guard response.head.status == .ok else { return "\(response.head.status.code)" }
        return try JSONDecoder().decode(Answer.self, from: body).sub
    }
}
