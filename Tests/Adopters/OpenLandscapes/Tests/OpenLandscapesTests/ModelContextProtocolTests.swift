import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import ModelContextProtocol
import Synchronization
import Testing

/// MCP servers and their authorization server, built with the official SDK for Python.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct ModelContextProtocolTests {
    /// A user who fills in the login page, and counts the pages.
    private final class User: WebPresenter {
        private let presenter: FormFillingPresenter
        private let pages = Mutex(0)

        init(_ name: String, _ password: String) { presenter = FormFillingPresenter(user: name, password: password) }

        var count: Int { pages.withLock { $0 } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            pages.withLock { $0 += 1 }
            return try await presenter.present(presentation)
        }
    }

    private static func url(_ path: String) throws -> URL { try #require(URL(string: "https://localhost:9496/\(path)")) }

    private static func observer(
        _ path: String = "mcp", issuers: String = "https://as.localhost:9497", store: (any CredentialStore)? = nil
    ) throws -> MCPAuthorizationObserver {
        MCPAuthorizationObserver(
            parameters: MCPAuthorizationParameters(
                server: try url(path), issuers: try ProtectedOrigins([try #require(URL(string: issuers))]),
                redirectURL: try #require(URL(string: "http://127.0.0.1:9999/cb"))), store: store)
    }

    /// Calls a tool.
    ///
    /// - Returns: The status code.
    private static func call(_ tool: String, _ session: Session, path: String = "mcp") async throws -> Int {
        var request = HTTPRequest(method: .post, url: try url(path))
        request.headerFields[.contentType] = "application/json"
        request.headerFields[.accept] = "application/json, text/event-stream"
        let arguments = tool == "write_note" ? #"{"text":"a note"}"# : "{}"
        let body =
            #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
        let response = try await session.send(SessionRequest(request, body: .bytes(Array(body.utf8))))
        _ = try await response.body.collect(upTo: 65_536)
        return response.head.status.code
    }

    @Test func `a user logs in once for twenty calls, from nothing but the server's address`() async throws {
        let user = User("alice", "wonderland")
        let session = try Lab.session(try Self.observer(), presenter: user)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await Self.call("read_notes", session) } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(user.count == 1)
        try await session.logOut()
        await session.invalidate(cancelling: true)
    }

    @Test func `a tool that wants more has the user asked once, and then there is one token for both`() async throws {
        let user = User("alice", "wonderland")
        let session = try Lab.session(try Self.observer(), presenter: user)
        #expect(try await Self.call("read_notes", session) == 200)
        #expect(try await Self.call("write_note", session) == 200)
        #expect(try await Self.call("read_notes", session) == 200)
        #expect(try await Self.call("write_note", session) == 200)
        #expect(user.count == 2)
        await session.invalidate(cancelling: true)
    }

    @Test func `a user who may not have more is refused that, and nothing else`() async throws {
        let user = User("jürgen", "pässwörd€")
        let session = try Lab.session(try Self.observer(), presenter: user)
        #expect(try await Self.call("read_notes", session) == 200)
        await #expect {
            _ = try await Self.call("write_note", session)
        } throws: { ($0 as? CountersignError)?.code == .challengedAgain }
        #expect(try await Self.call("read_notes", session) == 200)
        #expect(user.count <= 3)
        await session.invalidate(cancelling: true)
    }

    @Test func `an expired credential is renewed without the user, in this process and the next`() async throws {
        let user = User("alice", "wonderland")
        let store = MemoryCredentialStore()
        for _ in 0..<2 {
            let session = try Lab.session(try Self.observer(store: store), presenter: user)
            for _ in 0..<2 {
                #expect(try await Self.call("read_notes", session) == 200)
                // Tokens are valid for three seconds here.
                try await Task.sleep(for: .seconds(3.5))
            }
            await session.invalidate(cancelling: true)
        }
        #expect(user.count == 1)
    }

    @Test func `an authorization server that the application does not know gets nothing`() async throws {
        let user = User("alice", "wonderland")
        let session = try Lab.session(try Self.observer(issuers: "https://login.example"), presenter: user)
        await #expect {
            _ = try await Self.call("read_notes", session)
        } throws: { ($0 as? CountersignError)?.code == .addressRefused }
        #expect(user.count == 0)
        await session.invalidate(cancelling: true)
    }
}
