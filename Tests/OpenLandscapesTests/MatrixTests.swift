import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Matrix
import Synchronization
import TestTurns
import Testing

@testable import CountersignTesting

/// Matrix on sockets: the mock that follows from the spec, and a homeserver with the responses of a real one.
@Suite(.takesTurns) struct MatrixTests {
    /// Enters a wrong password first, if asked to.
    private final class Alice: MatrixUserInteractivePrompting {
        private let mistakes: Int
        private let asked = Mutex<[CredentialPrompt]>([])

        init(mistakes: Int = 0) { self.mistakes = mistakes }

        var prompts: [CredentialPrompt] { asked.withLock { $0 } }

        func password(for prompt: CredentialPrompt) async throws -> String? {
            asked.withLock { asked in
                asked.append(prompt)
                return asked.count <= mistakes ? "looking-glass" : "wonderland"
            }
        }
    }

    /// A homeserver that requires the password again for each deletion of a device.
    private final class Homeserver: Sendable {
        struct State {
            var tokens = 0
            var sessions = 0
            var logins: [[String]] = []
            var refreshes = 0
            var deletions: [String] = []
            var isExpired = false
            var isEnded = false
            /// The lifetime of access tokens in milliseconds, which is announced but not enforced.
            let lifetime = 300_000
            /// The refused access tokens.
            var refusals = 0
        }

        let state = Mutex(State())

        private struct Login: Decodable {
            struct Identifier: Decodable { let type, user: String }

            let type: String
            let identifier: Identifier
            let password: String
            var session: String?
            var device_id: String?
            var refresh_token: Bool?
        }

        private struct Refresh: Decodable { let refresh_token: String }

        private struct Deletion: Decodable {
            var auth: Login?
            var devices: [String]?
        }

        private static func json(_ text: String, _ status: HTTPResponse.Status = .ok) -> MockResponse {
            var response = MockResponse.text(text, status: status)
            response.fields[.contentType] = "application/json"
            return response
        }

        func answer(_ request: MockRequest) -> MockResponse {
            state.withLock { state in
                switch request.path {
                case "/_matrix/client/v3/login":
                    guard let login = request.json(Login.self), login.type == "m.login.password", login.refresh_token == true,
                        login.identifier.type == "m.id.user", login.identifier.user == "alice", login.password == "wonderland"
                    else { return Self.json(#"{"errcode":"M_FORBIDDEN","error":"Invalid username or password"}"#, .forbidden) }
                    state.logins.append([login.device_id].compactMap(\.self))
                    state.isEnded = false
                    return Self.issue(&state, #","user_id":"@alice:localhost","device_id":"\#(login.device_id ?? "NEW")""#)
                case "/_matrix/client/v3/refresh":
                    guard request.json(Refresh.self)?.refresh_token == "syr_\(state.tokens)", !state.isEnded else {
                        return Self.json(#"{"errcode":"M_FORBIDDEN","error":"refresh token isn't valid anymore"}"#, .forbidden)
                    }
                    state.refreshes += 1
                    return Self.issue(&state)
                case "/_matrix/client/v3/logout":
                    state.isExpired = true
                    return Self.json("{}")
                default: break
                }
                guard let token = request.fields[.authorization] else {
                    return Self.json(#"{"errcode":"M_MISSING_TOKEN","error":"Missing access token"}"#, .unauthorized)
                }
                guard token == "Bearer syt_\(state.tokens)", !state.isExpired, !state.isEnded else {
                    state.refusals += 1
                    guard !state.isEnded else {
                        return Self.json(#"{"errcode":"M_UNKNOWN_TOKEN","error":"Unrecognised access token"}"#, .unauthorized)
                    }
                    return Self.json(
                        #"{"errcode":"M_UNKNOWN_TOKEN","error":"Access token has expired","soft_logout":true}"#, .unauthorized)
                }
                guard request.method != .get else { return Self.json("{}") }
                let deletion = request.json(Deletion.self)
                guard let session = deletion?.auth?.session, session == "s\(state.sessions)" else {
                    state.sessions += 1
                    return Self.json(Self.flows(state.sessions), .unauthorized)
                }
                guard deletion?.auth?.password == "wonderland" else {
                    return Self.json(Self.flows(state.sessions, #","completed":[],"errcode":"M_FORBIDDEN""#), .unauthorized)
                }
                state.deletions += deletion?.devices ?? [request.path]
                state.sessions += 1
                return Self.json("{}")
            }
        }

        /// The numbers of logins and renewals.
        var counts: [Int] { state.withLock { [$0.logins.count, $0.refreshes] } }

        private static func issue(_ state: inout State, _ more: String = "") -> MockResponse {
            state.tokens += 1
            state.isExpired = false
            let tokens = #""access_token":"syt_\#(state.tokens)","refresh_token":"syr_\#(state.tokens)""#
            return json("{\(tokens),\"expires_in_ms\":\(state.lifetime)\(more)}")
        }

        private static func flows(_ session: Int, _ more: String = "") -> String {
            #"{"session":"s\#(session)","flows":[{"stages":["m.login.password"]}],"params":{}\#(more)}"#
        }
    }

    /// Calls `body` with a session that has both observers, and the homeserver's URL.
    private func run(
        confirmedBy alice: Alice = Alice(), clock: ForwardClock = ForwardClock(),
        _ body: (Session, Homeserver, URL) async throws -> Void
    ) async throws {
        let homeserver = Homeserver()
        try await MockServer.run(path: "", with: MockGates(), answer: { homeserver.answer($0) }) { url in
            await withSession(clock: clock) { session in
                session.register(
                    MatrixPasswordObserver(
                        parameters: MatrixPasswordParameters(homeserver: url, user: "alice", password: "wonderland")))
                session.register(
                    MatrixUserInteractiveObserver(
                        parameters: MatrixUserInteractiveParameters(homeserver: url, user: "alice"), prompting: alice))
                try await body(session, homeserver, url)
            }
        }
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, to url: URL, in session: Session
    ) async throws -> Int {
        var request = HTTPRequest(method: method, url: url.appending(path: path))
        if body != nil { request.headerFields[.contentType] = "application/json" }
        let content: RequestBody = if let body { .text(body) } else { .none }
        let response = try await session.send(SessionRequest(request, body: content))
        _ = try await response.body.collect(upTo: 4096)
        return response.head.status.code
    }

    @Test func `each deletion is confirmed with the password in its body, and other requests do not have it`() async throws {
        let alice = Alice(mistakes: 1)
        try await run(confirmedBy: alice) { (session, homeserver, url) async throws in
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            #expect(try await send(.delete, "devices/OLD", to: url, in: session) == 200)
            #expect(try await send(.post, "delete_devices", #"{"devices":["A","B"]}"#, to: url, in: session) == 200)
            #expect(homeserver.state.withLock { $0.deletions } == ["/devices/OLD", "A", "B"])
            #expect(homeserver.state.withLock { $0.logins.count } == 1)
        }
        #expect(alice.prompts.map(\.refusals) == [0, 1, 0])
    }

    @Test func `a token that expires is renewed, and the confirmed request stays confirmed`() async throws {
        let alice = Alice()
        try await run(confirmedBy: alice) { (session, homeserver, url) async throws in
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            homeserver.state.withLock { $0.isExpired = true }
            #expect(try await send(.delete, "devices/OLD", to: url, in: session) == 200)
            #expect(homeserver.counts == [1, 1])
        }
        #expect(alice.prompts.count == 1)
    }

    @Test func `a login after the refresh token was used elsewhere takes the same device`() async throws {
        try await run { (session, homeserver, url) async throws in
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            homeserver.state.withLock { state in
                state.isExpired = true
                state.tokens += 1
            }
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            #expect(homeserver.state.withLock { $0.logins } == [[], ["NEW"]])
        }
    }

    @Test func `a token is renewed at the end of its lifetime in milliseconds, before a request is refused`() async throws {
        let clock = ForwardClock()
        try await run(clock: clock) { (session, homeserver, url) async throws in
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            clock.advance(by: .seconds(301))
            for _ in 0..<3 { #expect(try await send(.get, "account/whoami", to: url, in: session) == 200) }
            #expect(homeserver.counts == [1, 1])
            let refusals = homeserver.state.withLock { $0.refusals }
            #expect(refusals == 0)
        }
    }

    @Test(arguments: [false, true])
    func `a login for an expired token takes the same device, unless the homeserver has ended the session`(isEnded: Bool)
        async throws
    {
        let clock = ForwardClock()
        try await run(clock: clock) { (session, homeserver, url) async throws in
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            clock.advance(by: .seconds(301))
            homeserver.state.withLock { state in
                // The refresh token was used elsewhere.
                state.tokens += 1
                state.isEnded = isEnded
            }
            #expect(try await send(.get, "account/whoami", to: url, in: session) == 200)
            let logins = homeserver.state.withLock { $0.logins }
            #expect(logins == [[], isEnded ? [] : ["NEW"]])
        }
    }

    @Test(arguments: [
        ("", "MatrixPassword.missing"), (#","flows":null"#, "MatrixPassword.missing"),
        (#","session":"s","flows":[{"stages":["m.login.password"]}]"#, "MatrixUserInteractive.password"),
        // A stage that the client does not have is for the application.
        (#","session":"s","flows":[{"stages":["m.login.sso"]}]"#, nil),
    ])
    func `a response is a challenge of one method`(more: String, challenge: String?) throws {
        let url = try #require(URL(string: "https://matrix.example/_matrix/client/v3/devices/A"))
        let body = Array(#"{"errcode":"M_MISSING_TOKEN"\#(more)}"#.utf8)
        let found = MatrixLandscape.programs.compactMap { program in
            program.recognition(of: HTTPResponse(status: .unauthorized), body: body, from: url).map {
                "\(program.name).\($0.challenge)"
            }
        }
        #expect(found == [challenge].compactMap(\.self))
    }

    @Test func `the mock of the spec plays both methods`() async throws {
        let logins = try await DescribedMock.run {
            MatrixPasswordParameters(homeserver: $0, user: "alice", password: "wonderland")
        } test: { mock, parameters in
            await withSession { (session) async throws in
                session.register(MatrixPasswordObserver(parameters: parameters))
                let status = try await send(.get, "data", to: mock.url, in: session)
                #expect(status == 200)
            }
            return mock.statistics.logins
        }
        #expect(logins == 1)
        let alice = Alice()
        let challenges = try await DescribedMock.run {
            MatrixUserInteractiveParameters(homeserver: $0, user: "alice")
        } test: { mock, parameters in
            await withSession { (session) async throws in
                session.register(MatrixUserInteractiveObserver(parameters: parameters, prompting: alice))
                let confirmed = try await send(.post, "data", #"{"a":1}"#, to: mock.url, in: session)
                #expect(confirmed == 200)
                let read = try await send(.get, "data", to: mock.url, in: session)
                #expect(read == 401)
            }
            return mock.statistics.challenges
        }
        #expect(challenges == 2)
        #expect(alice.prompts.count == 1)
    }
}
