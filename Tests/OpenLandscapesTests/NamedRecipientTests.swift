import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// A login that names the server for its token, on sockets: `Tests/Specs/Programs/Instance.yaml`, without generated code.
@Suite(.takesTurns) struct NamedRecipientTests {
    /// The requests that a server has received.
    private final class Journal: Sendable {
        private let tokens = Mutex<[String?]>([])

        /// The `Authorization` fields of the requests, except those of logins.
        var carried: [String?] { tokens.withLock(\.self) }

        func note(_ request: MockRequest) { tokens.withLock { $0.append(request.fields[.authorization]) } }
    }

    /// A server that accepts the token, and otherwise challenges.
    private static func resource(_ journal: Journal) -> MockServer.Handler {
        { request in
            journal.note(request)
            return request.fields[.authorization] == "Bearer t0ken"
                ? .text("data", status: .ok) : .text("no token", status: .unauthorized)
        }
    }

    /// A login server that names an instance.
    private static func login(naming instance: URL, _ journal: Journal) -> MockServer.Handler {
        let resource = Self.resource(journal)
        return { request in
            guard request.path == "/token" else { return await resource(request) }
            let body =
                #"{"access_token":"t0ken","refresh_token":"r","expires_in":3600,"instance_url":"\#(instance.absoluteString)/api"}"#
            return MockResponse(status: .ok, fields: [.contentType: "application/json"], body: body.utf8)
        }
    }

    private static func filled(login: URL, instances: [URL]) throws -> FilledProgram {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/Instance.yaml")
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Instances\nsummary: Instances.\n".utf8)),
            SpecFile(path: "Instance.yaml", bytes: Array(try Data(contentsOf: folder))),
        ]
        let method = try DynamicLandscape(SpecSources(own: files)).method(named: nil)
        let values = [
            "login": [login.absoluteString], "instances": instances.map(\.absoluteString), "password": ["wonderland"],
        ]
        return try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values))
    }

    /// Runs a login server, the server that it names, and another one, on their own ports.
    ///
    /// - Parameter allowsOther: Whether a login may name only the other server.
    private func run(
        allowingOther allowsOther: Bool = false,
        _ body: (_ session: Session, _ login: URL, _ named: URL, _ other: URL, _ journals: [Journal]) async throws -> Void
    ) async throws {
        let journals = [Journal(), Journal(), Journal()]
        try await MockServer.run(path: "", with: MockGates(), answer: Self.resource(journals[2])) { other in
            try await MockServer.run(path: "", with: MockGates(), answer: Self.resource(journals[1])) { named in
                try await MockServer.run(
                    path: "", with: MockGates(), answer: Self.login(naming: named, journals[0])
                ) { login in
                    let filled = try Self.filled(login: login, instances: [allowsOther ? other : named])
                    await withSession { session in
                        session.register(ManagedObserver(filled, prompter: nil, store: nil))
                        try await body(session, login, named, other, journals)
                    }
                }
            }
        }
    }

    private func get(_ url: URL, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), session)
    }

    @Test func `the server that a login names receives the token, and no other does`() async throws {
        try await run { (session, login, named, other, journals) async throws in
            #expect(try await get(named, session) == 401)
            #expect(try await get(login, session) == 200)
            #expect(try await get(named, session) == 200)
            #expect(try await get(other, session) == 401)
            #expect(journals.map(\.carried) == [[nil, "Bearer t0ken"], [nil, "Bearer t0ken"], [nil]])
            try await session.logOut()
            #expect(try await get(named, session) == 401)
            #expect(journals[1].carried.last == .some(nil))
        }
    }

    @Test func `a login that names a server outside of the allowed ones fails, and no server receives the token`() async throws {
        try await run(allowingOther: true) { (session, login, named, other, journals) async throws in
            for _ in 0..<2 { #expect(await code { try await get(login, session) } == .addressRefused) }
            #expect(try await get(named, session) == 401)
            #expect(try await get(other, session) == 401)
            #expect(journals.allSatisfy { $0.carried.allSatisfy { $0 == nil } })
        }
    }

    @Test func `the mock of the spec names itself`() async throws {
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled(login: url, instances: [url])
            return [(filled.program, filled.values)]
        })
        let filled = try Self.filled(login: mock.url, instances: [mock.url])
        await withSession { (session) async throws in
            session.register(ManagedObserver(filled, prompter: nil, store: nil))
            #expect(try await get(mock.url, session) == 200)
            mock.endAllSessions()
            #expect(try await get(mock.url, session) == 200)
        }
        #expect(mock.statistics.logins == 2 && mock.statistics.resources == 2)
        await mock.stop()
    }
}
