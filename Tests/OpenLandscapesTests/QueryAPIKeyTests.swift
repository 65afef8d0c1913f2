import Countersign
import CountersignAsyncHTTPClient
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPAuthentication
import HTTPTypes
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// The generated client of API keys in the query, on sockets, and the same method without generated code.
@Suite(.takesTurns) struct QueryAPIKeyTests {
    private static let key = "a key/4711"

    /// Returns the targets of the requests that a server has received.
    ///
    /// - Parameter body: Uses a session with the observer, and the server's URL.
    private func targets(
        of observer: (URL) throws -> any SessionObserver, _ body: (Session, URL) async throws -> Void
    ) async throws -> [String] {
        let seen = Mutex<[String]>([])
        let received: @Sendable (MockRequest) -> MockResponse = { request in
            seen.withLock { $0.append("\(request.path)?\(request.query ?? "-")") }
            guard request.path != "/moved" else { return MockResponse(status: .found, fields: [.location: "/data?page=2"]) }
            return request.query?.contains("a%20key%2F4711") == true
                ? .text("data", status: .ok) : .text("no key", status: .forbidden)
        }
        try await MockServer.run(path: "", with: MockGates(), answer: received) { url in
            let observer = try observer(url)
            await withSession { session in
                session.register(observer)
                try await body(session, url)
            }
        }
        return seen.withLock { $0 }
    }

    private func generated(_ url: URL) -> any SessionObserver {
        QueryAPIKeyObserver(parameters: QueryAPIKeyParameters(key: Self.key, servers: [url]))
    }

    private func dynamic(_ url: URL) throws -> any SessionObserver {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/HTTPAuthentication").path(percentEncoded: false)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        let (sources, unreadable) = SpecSources.load(own: files.map { "\(folder)/\($0)" })
        let method = try DynamicLandscape(sources, unreadable: unreadable).method(named: "QueryAPIKey")
        let values = ["servers": [url.absoluteString], "key": [Self.key]]
        return ManagedObserver(
            try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values)), prompter: nil, store: nil)
    }

    @Test func `the server gets the key in the query, and the application's URLs do not have it, by code and by spec`()
        async throws
    {
        let expected = ["/data?page=1&key=a%20key%2F4711", "/moved?key=a%20key%2F4711", "/data?page=2&key=a%20key%2F4711"]
        for observer in [generated, dynamic] as [(URL) throws -> any SessionObserver] {
            let targets = try await targets(of: observer) { session, url in
                for (path, final) in [("/data?page=1", "/data?page=1"), ("/moved", "/data?page=2")] {
                    let address = try #require(URL(string: path, relativeTo: url)?.absoluteURL)
                    let response = try await session.send(SessionRequest(HTTPRequest(url: address)))
                    _ = try await response.body.collect(upTo: 4096)
                    #expect(response.head.status == .ok)
                    #expect(response.url.absoluteString == "\(url.absoluteString)\(final)")
                }
            }
            #expect(targets == expected)
        }
    }

    @Test func `a server that cannot be reached is an error without the key`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        await withSession { session in
            session.register(generated(url))
            let error = await #expect(throws: (any Error).self) { try await session.send(SessionRequest(HTTPRequest(url: url))) }
            #expect(error.map { !String(reflecting: $0).contains("4711") } == true)
        }
    }
}
