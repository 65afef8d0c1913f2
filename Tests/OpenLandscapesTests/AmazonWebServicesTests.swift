import AmazonWebServices
import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

/// The generated client of signed services, on sockets, with a mock that verifies signatures by code of its own.
@Suite(.takesTurns) struct AmazonWebServicesTests {
    private typealias Mock = MockAmazonWebServices

    private func key(_ mock: Mock, secret: String = Mock.secretAccessKey) -> AccessKeyObserver {
        AccessKeyObserver(
            parameters: AccessKeyParameters(
                endpoints: [mock.url], region: Mock.region, service: Mock.service, accessKeyID: Mock.accessKeyID,
                secretAccessKey: secret))
    }

    private func role(_ mock: Mock, secret: String = Mock.secretAccessKey) -> AssumedRoleObserver {
        AssumedRoleObserver(
            parameters: AssumedRoleParameters(
                endpoints: [mock.url], region: Mock.region, service: Mock.service, tokenService: mock.url, role: Mock.role,
                accessKeyID: Mock.accessKeyID, secretAccessKey: secret))
    }

    private func object(_ mock: Mock, _ target: String = "objects/one") -> URL {
        URL(string: target, relativeTo: mock.url)?.absoluteURL ?? mock.url
    }

    @Test(arguments: [
        "objects/K%C3%A4se%20%26%20Brot/a%2Bb%20c~.txt", "objects/a+b,c:d", "objects/?list-type=2&prefix=a/b&delimiter=/",
        "objects/?b=2&a=1&a=0&c", "objects//x/../y",
    ])
    func `targets of all kinds are signed as the server signs them`(_ target: String) async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                session.register(key(mock))
                #expect(try await status(SessionRequest(HTTPRequest(url: object(mock, target))), session) == 200)
            }
            #expect(mock.statistics.sends == 1)
        }
    }

    @Test func `a body is signed, also one in pieces, which is read twice`() async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                session.register(key(mock))
                let pieces = RequestBody.restartable {
                    AsyncThrowingStream {
                        $0.yield(Array("one ".utf8))
                        $0.yield(Array("two".utf8))
                        $0.finish()
                    }
                }
                for body in [.bytes(Array("one two".utf8)), pieces] {
                    let request = SessionRequest(HTTPRequest(method: .put, url: object(mock)), body: body)
                    #expect(try await status(request, session) == 200)
                }
                let once = RequestBody.once(
                    AsyncThrowingStream {
                        $0.yield([1])
                        $0.finish()
                    })
                let request = SessionRequest(HTTPRequest(method: .put, url: object(mock)), body: once)
                #expect(await code { try await session.send(request) } == .bodyNotReplayable)
            }
            #expect(mock.statistics.sends == 2 && mock.statistics.answered == 2)
        }
    }

    @Test func `a body that is longer than what a mock keeps is signed`() async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                session.register(key(mock))
                for length in [64 * 1024, 64 * 1024 + 1, 300_000] {
                    let body = RequestBody.bytes([UInt8](repeating: 7, count: length))
                    let request = SessionRequest(HTTPRequest(method: .put, url: object(mock)), body: body)
                    #expect(try await status(request, session) == 200)
                }
            }
            #expect(mock.statistics == .init(answered: 3, sends: 3))
        }
    }

    @Test func `a body in pieces is signed again where the first signature was dated wrongly`() async throws {
        try await Mock.run { (mock) async throws in
            mock.setClock(aheadBy: 86_400)
            await sessionAhead(by: 86_400) { (session) async throws in
                session.register(key(mock))
                let pieces = RequestBody.restartable {
                    AsyncThrowingStream {
                        $0.yield(Array("one".utf8))
                        $0.finish()
                    }
                }
                let request = SessionRequest(HTTPRequest(method: .put, url: object(mock)), body: pieces)
                #expect(try await status(request, session) == 200)
            }
            #expect(mock.statistics == .init(refused: 1, answered: 1, sends: 2))
        }
    }

    @Test func `an object service requires the hash of the body in a header field`() async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                let scope = "20261128/\(Mock.region)/\(Mock.service)/aws4_request"
                let date = try #require(HTTPField.Name("X-Amz-Date"))
                var fields: HTTPFields = [date: "20261128T000000Z"]
                fields[.authorization] =
                    "AWS4-HMAC-SHA256 Credential=\(Mock.accessKeyID)/\(scope), SignedHeaders=host;x-amz-date, Signature=00"
                let request = HTTPRequest(url: object(mock), headerFields: fields)
                let response = try await session.send(SessionRequest(request))
                #expect(response.head.status == .badRequest)
                let body = String(decoding: try await response.body.collect(upTo: 4096), as: UTF8.self)
                #expect(body.contains("<Code>InvalidRequest</Code>"))
                #expect(body.contains("Missing required header for this request: x-amz-content-sha256"))
            }
            #expect(mock.statistics == .init(refused: 1, sends: 1))
        }
    }

    @Test func `a wrong key is an error, and is sent once`() async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                session.register(key(mock, secret: "wrong"))
                #expect(await code { try await session.send(SessionRequest(HTTPRequest(url: object(mock)))) } == .challengedAgain)
            }
            #expect(mock.statistics == .init(refused: 1, sends: 1))
        }
    }

    /// Runs a function with a session whose servers' clocks are ahead.
    private func sessionAhead(by seconds: Int, _ body: (Session) async throws -> Void) async {
        let session = Session(
            configuration: SessionConfiguration(),
            transport: AheadTransport(date: { AheadTransport.time(aheadBy: seconds) }, base: AsyncHTTPClientTransport()))
        do {
            try await body(session)
        } catch {
            Issue.record(error)
        }
        await session.invalidate(cancelling: true)
    }

    @Test(arguments: ["1e300", "-1e300", "nan", "Thu, 01 Jan 2099 00:00:00 GMT", "soon"])
    func `a clock that no server has is an error, and nothing is signed by it`(_ date: String) async throws {
        try await Mock.run { (mock) async throws in
            mock.setClock(aheadBy: 86_400)
            let session = Session(
                configuration: SessionConfiguration(), transport: AheadTransport(date: { date }, base: AsyncHTTPClientTransport()))
            session.register(key(mock))
            #expect(await code { try await session.send(SessionRequest(HTTPRequest(url: object(mock)))) } == .unusableChallenge)
            await session.invalidate(cancelling: true)
            #expect(mock.statistics == .init(refused: 1, sends: 1))
        }
    }

    @Test(arguments: [86_400, -86_400])
    func `the service's clock counts where it says so, and is found out once`(_ seconds: Int) async throws {
        try await Mock.run { (mock) async throws in
            mock.setClock(aheadBy: seconds)
            await sessionAhead(by: seconds) { (session) async throws in
                session.register(key(mock))
                for _ in 0..<3 {
                    #expect(try await status(SessionRequest(HTTPRequest(url: object(mock))), session) == 200)
                }
            }
            #expect(mock.statistics == .init(refused: 1, answered: 3, sends: 4))
        }
    }

    @Test func `one role for a hundred requests, and another when its keys have expired`() async throws {
        try await Mock.run { (mock) async throws in
            await withSession { (session) async throws in
                session.register(role(mock))
                for round in 1...2 {
                    _ = mock.hold(until: 100)
                    try await withThrowingTaskGroup(of: Int.self) { group in
                        for _ in 0..<100 {
                            group.addTask { try await status(SessionRequest(HTTPRequest(url: object(mock))), session) }
                        }
                        for try await answer in group { #expect(answer == 200) }
                    }
                    #expect(mock.statistics.roles == round && mock.statistics.answered == round * 100)
                    mock.expireRoles()
                }
                // In the first round one request for keys and a hundred requests, in the second the keys again, and each request
                // at most twice.
                #expect(mock.statistics.sends <= 302)
            }
        }
    }

    @Test func `a role is had by the service's clock, and one that the key may not have is a refusal`() async throws {
        try await Mock.run { (mock) async throws in
            mock.setClock(aheadBy: 86_400)
            await sessionAhead(by: 86_400) { (session) async throws in
                session.register(role(mock))
                #expect(try await status(SessionRequest(HTTPRequest(url: object(mock))), session) == 200)
            }
            #expect(mock.statistics == .init(refused: 2, answered: 1, roles: 1, sends: 4))
            await withSession { (session) async throws in
                session.register(role(mock, secret: "wrong"))
                #expect(await code { try await session.send(SessionRequest(HTTPRequest(url: object(mock)))) } == .refusedByServer)
            }
        }
    }

    @Test func `keys of a role are shared by a store`() async throws {
        try await Mock.run { (mock) async throws in
            let store = MemoryCredentialStore()
            for _ in 0..<2 {
                await withSession { (session) async throws in
                    session.register(
                        AssumedRoleObserver(
                            parameters: AssumedRoleParameters(
                                endpoints: [mock.url], region: Mock.region, service: Mock.service, tokenService: mock.url,
                                role: Mock.role, accessKeyID: Mock.accessKeyID, secretAccessKey: Mock.secretAccessKey),
                            store: store))
                    #expect(try await status(SessionRequest(HTTPRequest(url: object(mock))), session) == 200)
                }
            }
            #expect(mock.statistics == .init(answered: 2, roles: 1, sends: 3))
        }
    }
}

/// A transport to servers whose clocks are ahead. It replaces `Date`, which the mock's HTTP server writes itself.
private struct AheadTransport: HTTPTransport {
    /// Returns the value of `Date`.
    let date: @Sendable () -> String
    let base: AsyncHTTPClientTransport

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        var response = try await base.send(request)
        response.head.headerFields[.date] = date()
        return response
    }

    /// Returns the time of a clock that is ahead (RFC 9110, section 5.6.7).
    static func time(aheadBy seconds: Int) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: Date().addingTimeInterval(Double(seconds)))
    }

    func shutdown() async throws { try await base.shutdown() }
}
