import Countersign
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import Matrix
import Synchronization
import Testing

/// Synapse, whose access tokens live for a few seconds.
@Suite(.enabled(if: Lab.folder != nil), .serialized, .timeLimit(.minutes(2))) struct MatrixTests {
    /// Types one password after another, and repeats the last one.
    private final class Person: MatrixPasswordPrompting, MatrixUserInteractivePrompting {
        private let passwords: [String]
        /// The time for typing.
        private let time: Duration
        private let asked = Mutex<[CredentialPrompt]>([])

        init(_ passwords: String..., in time: Duration = .zero) {
            self.passwords = passwords
            self.time = time
        }

        var prompts: [CredentialPrompt] { asked.withLock { $0 } }
        /// The number of refusals at each prompt.
        var refusals: [Int] { prompts.map(\.refusals) }

        func password(for prompt: CredentialPrompt) async throws -> String? {
            let count = asked.withLock { asked in
                asked.append(prompt)
                return asked.count
            }
            try await Task.sleep(for: time)
            return passwords.prefix(count).last
        }
    }

    /// The members of the homeserver's responses.
    private struct Answer: Decodable {
        enum CodingKeys: String, CodingKey {
            case user = "user_id"
            case device = "device_id"
            case deviceName = "display_name"
            case accessToken = "access_token"
        }

        let user, device, deviceName, accessToken: String?
    }

    private static var homeserver: URL {
        get throws { try #require(ProcessInfo.processInfo.environment["MATRIX_URL"].flatMap { URL(string: $0) }) }
    }

    private static var admin: String {
        get throws { try #require(ProcessInfo.processInfo.environment["MATRIX_ADMIN"]) }
    }

    /// A time after which access tokens have expired.
    private static var longerThanTokens: Duration {
        get throws { .seconds(try #require(ProcessInfo.processInfo.environment["MATRIX_TTL"].flatMap { Int($0) }) + 1) }
    }

    private func observer(
        _ user: String = "alice", password: String? = "wonderland", device: String = "", person: Person? = nil
    ) throws -> MatrixPasswordObserver {
        MatrixPasswordObserver(
            parameters: MatrixPasswordParameters(
                homeserver: try Self.homeserver, user: user, password: password, deviceID: device, deviceName: "a desk"),
            prompting: person)
    }

    /// Makes a session whose requests are confirmed with the user's password.
    private func session(
        confirmedBy person: Person, _ user: String = "alice", password: String = "wonderland", events: Events = Events()
    ) throws -> Session {
        try Lab.session(
            try observer(user, password: password),
            MatrixUserInteractiveObserver(
                parameters: MatrixUserInteractiveParameters(homeserver: try Self.homeserver, user: user), prompting: person),
            events: [events])
    }

    /// - Parameter token: An access token that the session does not know.
    private func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil, in session: Session
    ) async throws -> (status: Int, body: Data) {
        let url = try Self.homeserver.absoluteString + path
        var request = HTTPRequest(method: method, url: try #require(URL(string: url)))
        if body != nil { request.headerFields[.contentType] = "application/json" }
        if let token { request.headerFields[.authorization] = "Bearer \(token)" }
        let content: RequestBody = if let body { .bytes(Array(body.utf8)) } else { .none }
        let response = try await session.send(SessionRequest(request, body: content))
        return (response.head.status.code, Data(try await response.body.collect(upTo: 1 << 20)))
    }

    /// Calls the homeserver past the observers.
    private func callPlainly(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, token: String? = nil
    ) async throws -> (status: Int, answer: Answer) {
        let session = try Lab.session()
        let (status, body) = try await call(method, path, body, token: token, in: session)
        await session.invalidate(cancelling: true)
        return (status, try JSONDecoder().decode(Answer.self, from: body))
    }

    /// Returns the user and the device of a session, according to the homeserver.
    private func identity(_ session: Session) async throws -> Answer {
        let (status, body) = try await call(.get, "/_matrix/client/v3/account/whoami", in: session)
        try #require(status == 200)
        return try JSONDecoder().decode(Answer.self, from: body)
    }

    /// Makes or changes a user.
    private func change(_ user: String, _ values: String) async throws {
        let session = try Lab.session(try observer(try Self.admin))
        let (status, _) = try await call(.put, "/_synapse/admin/v2/users/@\(user):localhost", values, in: session)
        #expect([200, 201].contains(status))
        await session.invalidate(cancelling: true)
    }

    /// Makes a device of a user by a login.
    private func device(of user: String = "alice") async throws -> String {
        let login = """
            {"type": "m.login.password", "identifier": {"type": "m.id.user", "user": "\(user)"}, "password": "wonderland"}
            """
        return try #require(try await callPlainly(.post, "/_matrix/client/v3/login", login).answer.device)
    }

    private func failure(_ work: () async throws -> Void) async -> (any Error)? {
        do {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    private func code(_ session: Session) async -> CountersignError.Code? {
        (await failure { _ = try await identity(session) } as? CountersignError)?.code
    }

    private func renewals(_ events: Events) -> Int { events.count { $0 == .renewed } }

    /// The number of logins. A renewal is an authentication, too.
    private func logins(_ events: Events) -> Int {
        events.count { if case .authenticated = $0 { true } else { false } } - renewals(events)
    }

    // MARK: Passwords and tokens

    @Test(arguments: [("alice", "wonderland"), ("j=c3=bcrgen", "pässwörd€")])
    func `a user logs in once, to one device`(_ user: String, _ password: String) async throws {
        let events = Events()
        let observer = try observer(user, password: password)
        let session = try Lab.session(observer, events: [events])
        let first = try await identity(session)
        #expect(first.user == "@\(user):localhost")
        #expect(try await identity(session).device == first.device)
        #expect(logins(events) == 1)
        let credential = try #require(try await observer.credential(in: session))
        #expect(credential.userID == first.user)
        #expect(credential.device == first.device)
        await session.invalidate(cancelling: true)
    }

    @Test func `a device can be chosen and named`() async throws {
        let name = "D\(UInt32.random(in: 0..<UInt32.max))"
        for _ in 0..<2 {
            let session = try Lab.session(try observer(device: name))
            #expect(try await identity(session).device == name)
            let (status, body) = try await call(.get, "/_matrix/client/v3/devices/\(name)", in: session)
            #expect(status == 200)
            #expect(try JSONDecoder().decode(Answer.self, from: body).deviceName == "a desk")
            await session.invalidate(cancelling: true)
        }
    }

    @Test func `an expired token is renewed without a login, once for twenty requests`() async throws {
        let events = Events()
        let session = try Lab.session(try observer(), events: [events])
        let device = try await identity(session).device
        try await Task.sleep(for: try Self.longerThanTokens)
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try await identity(session).device } }
            for try await other in group { #expect(other == device) }
        }
        // On a busy machine the requests can take longer than a token lives.
        #expect(renewals(events) >= 1)
        #expect(logins(events) == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `a login after a soft logout takes the same device`() async throws {
        let events = Events()
        let observer = try observer()
        let session = try Lab.session(observer, events: [events])
        let device = try await identity(session).device
        // When the tokens of another renewal are used, the refresh token is no longer good. The access token still is.
        let refreshToken = try #require(try await observer.credential(in: session)?.refreshToken)
        let renewed = try await callPlainly(.post, "/_matrix/client/v3/refresh", #"{"refresh_token": "\#(refreshToken)"}"#)
        let token = try #require(renewed.answer.accessToken)
        #expect(try await callPlainly(.get, "/_matrix/client/v3/account/whoami", token: token).status == 200)
        try await Task.sleep(for: try Self.longerThanTokens)
        #expect(try await identity(session).device == device)
        #expect(logins(events) == 2)
        await session.invalidate(cancelling: true)
    }

    @Test func `a login after the homeserver has ended the session makes a new device`() async throws {
        let events = Events()
        let observer = try observer()
        let session = try Lab.session(observer, events: [events])
        let device = try await identity(session).device
        let token = try #require(try await observer.credential(in: session)?.accessToken)
        #expect(try await callPlainly(.post, "/_matrix/client/v3/logout", token: token).status == 200)
        #expect(try await identity(session).device != device)
        #expect(logins(events) == 2)
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password is asked for again, and given up after three`() async throws {
        let better = Person("wrong", "wonderland")
        let session = try Lab.session(try observer(password: nil, person: better))
        #expect(try await identity(session).user == "@alice:localhost")
        #expect(better.refusals == [0, 1])
        await session.invalidate(cancelling: true)

        let forgetful = Person("wrong")
        let other = try Lab.session(try observer(password: nil, person: forgetful))
        #expect(await code(other) == .refusedByServer)
        #expect(forgetful.refusals == [0, 1, 2])
        await other.invalidate(cancelling: true)
    }

    @Test(arguments: [("alice", "wrong"), ("nobody", "wonderland")])
    func `a wrong password or name of the parameters is refused`(_ user: String, _ password: String) async throws {
        let session = try Lab.session(try observer(user, password: password))
        #expect(await code(session) == .refusedByServer)
        await session.invalidate(cancelling: true)
    }

    @Test func `a logout ends both tokens and the device`() async throws {
        let observer = try observer()
        let session = try Lab.session(observer)
        let device = try #require(try await identity(session).device)
        let credential = try #require(try await observer.credential(in: session))
        let refreshToken = try #require(credential.refreshToken)
        try await session.logOut()
        #expect(
            try await callPlainly(.get, "/_matrix/client/v3/account/whoami", token: credential.accessToken).status == 401)
        let renewed = try await callPlainly(.post, "/_matrix/client/v3/refresh", #"{"refresh_token": "\#(refreshToken)"}"#)
        #expect(renewed.status == 401)
        let next = try Lab.session(try self.observer())
        #expect(try await call(.get, "/_matrix/client/v3/devices/\(device)", in: next).status == 404)
        await session.invalidate(cancelling: true)
        await next.invalidate(cancelling: true)
    }

    @Test func `a locked account keeps its session, and has no new one`() async throws {
        try await change("locked", #"{"password": "wonderland", "locked": false}"#)
        let events = Events()
        let session = try Lab.session(try observer("locked"), events: [events])
        let device = try await identity(session).device
        try await change("locked", #"{"locked": true}"#)
        let kept = await failure { _ = try await identity(session) } as? MatrixPasswordError
        #expect(kept?.isLock == true)
        let next = try Lab.session(try observer("locked"))
        let refused = await failure { _ = try await identity(next) } as? MatrixPasswordError
        #expect(refused?.loginStatus == 401)
        try await change("locked", #"{"locked": false}"#)
        #expect(try await identity(session).device == device)
        #expect(logins(events) == 1)
        await session.invalidate(cancelling: true)
        await next.invalidate(cancelling: true)
    }

    // MARK: User-interactive authentication

    @Test func `each device is deleted with the password, and nothing else needs it`() async throws {
        let (person, events) = (Person("wonderland"), Events())
        let session = try session(confirmedBy: person, events: events)
        for count in 1...2 {
            let device = try await device()
            #expect(try await call(.get, "/_matrix/client/v3/devices/\(device)", in: session).status == 200)
            #expect(try await call(.delete, "/_matrix/client/v3/devices/\(device)", in: session).status == 200)
            #expect(try await call(.get, "/_matrix/client/v3/devices/\(device)", in: session).status == 404)
            #expect(person.refusals == Array(repeating: 0, count: count))
        }
        await session.invalidate(cancelling: true)
    }

    @Test func `members of a body stay beside those of the authentication`() async throws {
        let person = Person("wonderland")
        let session = try session(confirmedBy: person)
        let devices = [try await device(), try await device()]
        let body = #"{"devices": ["\#(devices[0])", "\#(devices[1])"]}"#
        #expect(try await call(.post, "/_matrix/client/v3/delete_devices", body, in: session).status == 200)
        for device in devices {
            #expect(try await call(.get, "/_matrix/client/v3/devices/\(device)", in: session).status == 404)
        }
        #expect(person.refusals == [0])
        await session.invalidate(cancelling: true)
    }

    @Test func `a wrong password for a device is asked for again, and given up after three`() async throws {
        let device = try await device()
        let better = Person("wrong", "wonderland")
        let session = try session(confirmedBy: better)
        #expect(try await call(.delete, "/_matrix/client/v3/devices/\(device)", in: session).status == 200)
        #expect(better.refusals == [0, 1])
        await session.invalidate(cancelling: true)

        let forgetful = Person("wrong")
        let other = try self.session(confirmedBy: forgetful)
        let error = await failure { _ = try await call(.delete, "/_matrix/client/v3/devices/\(device)", in: other) }
        #expect((error as? CountersignError)?.code == .challengedAgain)
        #expect(forgetful.refusals == [0, 1, 2])
        #expect(try await identity(other).user == "@alice:localhost")
        await other.invalidate(cancelling: true)
    }
}

extension MatrixPasswordError {
    /// The status of a failed login; `nil` for another error.
    fileprivate var loginStatus: Int? { if case .loginFailed(let status, _) = self { status } else { nil } }
    /// Whether the account is locked.
    fileprivate var isLock: Bool { if case .accountLocked = self { true } else { false } }
}
