import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Testing

/// Sends a hundred requests at once with an observer whose method obtains tokens without the user, and another one after the token has
/// expired. Expects one token for all of them, and then another one without a challenge.
///
/// - Parameters:
///   - observer: The observer, which is registered here.
///   - grant: The grant of its tokens.
///   - server: The server of the tokens and of the data. Its access tokens are valid for 600 seconds.
///   - clock: The clock of the session.
func expectOneTokenAtATime(
    of observer: any SessionObserver, by grant: MockOAuth2Client.Grant, from server: MockAuthorizationServer, in session: Session,
    _ clock: ForwardClock
) async throws {
    let request = SessionRequest(HTTPRequest(url: server.baseURL.appending(path: "data")))
    session.register(observer)
    server.hold(.prefix("/data"), until: 100)
    try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<100 { group.addTask { try await status(request, session) } }
        for try await status in group { #expect(status == 200) }
    }
    #expect(server.statistics.tokenAnswers == [grant: 1])
    server.advance(by: .seconds(601))
    clock.advance(by: .seconds(601))
    #expect(try await status(request, session) == 200)
    #expect(server.statistics.challenges == 100)
    #expect(server.statistics.tokenAnswers == [grant: 2])
}
