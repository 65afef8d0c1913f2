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

/// A token in a header field that the server names, on sockets: `Tests/Specs/Programs/NamedHeader.yaml`, without generated code.
@Suite(.takesTurns) struct NamedHeaderTests {
    /// A server that names the field of its token.
    private final class Server: Sendable {
        private struct State {
            var logins = 0
            var carried: [[String]] = []
        }

        private let field: String
        private let state = Mutex(State())

        init(field: String) { self.field = field }

        /// The number of tokens that it has issued.
        var logins: Int { state.withLock(\.logins) }
        /// The values of the field in all requests except those for a token.
        var carried: [[String]] { state.withLock(\.carried) }

        func answer(_ request: MockRequest) -> MockResponse {
            guard request.path != "/crumb" else {
                state.withLock { $0.logins += 1 }
                let body = #"{"_class":"issuer","crumb":"0f-4711","crumbRequestField":"\#(field)"}"#
                return MockResponse(status: .ok, fields: [.contentType: "application/json"], body: body.utf8)
            }
            let values = HTTPField.Name(field).map { request.fields[values: $0] } ?? []
            state.withLock { $0.carried.append(values) }
            return values == ["0f-4711"] ? .text("data", status: .ok) : .text("no valid crumb", status: .forbidden)
        }
    }

    private static func filled(_ server: URL) throws -> FilledProgram {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/NamedHeader.yaml")
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Guards\nsummary: Guards.\n".utf8)),
            SpecFile(path: "NamedHeader.yaml", bytes: Array(try Data(contentsOf: url))),
        ]
        let method = try DynamicLandscape(SpecSources(own: files)).method(named: nil)
        return try method.filled(
            try method.variant(named: nil), with: GivenValues(parameters: ["server": [server.absoluteString]]))
    }

    private func run(_ server: Server, _ body: (URL) async throws -> Void) async throws {
        try await MockServer.run(path: "", with: MockGates(), answer: { server.answer($0) }) { url in
            try await body(url)
        }
    }

    private func get(_ url: URL, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: url.appending(path: "data"))), session)
    }

    @Test func `the token is in the field that the server names, also after it was stored`() async throws {
        let server = Server(field: "Jenkins-Crumb")
        try await run(server) { url in
            let store = MemoryCredentialStore()
            // A command that prints the credential must not take the other field for it.
            #expect(try Self.filled(url).fieldNames.isEmpty)
            for _ in 0..<2 {
                let observer = ManagedObserver(try Self.filled(url), prompter: nil, store: store)
                await withSession { (session) async throws in
                    session.register(observer)
                    #expect(observer.fieldNames.isEmpty)
                    for _ in 0..<2 { #expect(try await get(url, session) == 200) }
                    // Now the name is known.
                    #expect(observer.fieldNames.map(\.canonicalName).sorted() == ["jenkins-crumb", "x-client"])
                }
            }
        }
        #expect(server.logins == 1)
        #expect(server.carried == [[], ["0f-4711"], ["0f-4711"], [], ["0f-4711"], ["0f-4711"]])
    }

    @Test(arguments: ["Authorization", "Cookie", "Host", "Content-Length", "Transfer-Encoding", "no name"])
    func `a field that no server may name is an error, and the token is sent nowhere`(field: String) async throws {
        let server = Server(field: field)
        try await run(server) { url in
            let store = MemoryCredentialStore()
            let observer = ManagedObserver(try Self.filled(url), prompter: nil, store: store)
            await withSession { (session) async throws in
                session.register(observer)
                #expect(await code { try await get(url, session) } == .invalidRequest)
            }
        }
        #expect(server.logins == 1)
        #expect(server.carried.allSatisfy { !$0.contains("0f-4711") } && server.carried.count == 1)
    }

    @Test func `the mock of the spec names a field of its own`() async throws {
        let mock = try await DescribedMock.start(programs: { url in
            let filled = try Self.filled(url)
            return [(filled.program, filled.values)]
        })
        let observer = ManagedObserver(try Self.filled(mock.url), prompter: nil, store: nil)
        await withSession { (session) async throws in
            session.register(observer)
            for _ in 0..<2 { #expect(try await get(mock.url, session) == 200) }
            mock.endAllSessions()
            #expect(try await get(mock.url, session) == 200)
        }
        #expect(mock.statistics.logins == 2 && mock.statistics.resources == 3)
        await mock.stop()
    }
}
