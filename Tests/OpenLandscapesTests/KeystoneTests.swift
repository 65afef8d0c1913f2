import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import Keystone
import Synchronization
import TestTurns
import Testing

/// The generated client of OpenStack's Identity service, on sockets.
@Suite(.takesTurns) struct KeystoneTests {
    /// Types one answer after another, and repeats the last one.
    private final class Person: KeystonePasswordPrompting {
        private struct Asked {
            var passwords: [CredentialPrompt] = []
            var passcodes: [CredentialPrompt] = []
        }

        private let passwords: [String]
        private let passcodes: [String]
        private let asked = Mutex(Asked())

        init(passwords: [String] = [], passcodes: [String] = []) {
            self.passwords = passwords
            self.passcodes = passcodes
        }

        var passwordPrompts: [CredentialPrompt] { asked.withLock { $0.passwords } }
        var passcodePrompts: [CredentialPrompt] { asked.withLock { $0.passcodes } }

        func password(for prompt: CredentialPrompt) async throws -> String? {
            let count = asked.withLock { asked in
                asked.passwords.append(prompt)
                return asked.passwords.count
            }
            return passwords.prefix(count).last
        }

        func passcode(for prompt: CredentialPrompt) async throws -> String? {
            let count = asked.withLock { asked in
                asked.passcodes.append(prompt)
                return asked.passcodes.count
            }
            return passcodes.prefix(count).last
        }
    }

    private func run(_ body: (MockKeystone, Session) async throws -> Void) async throws {
        try await MockKeystone.run { mock in
            await withSession { session in
                try await body(mock, session)
            }
        }
    }

    private func observer(
        _ mock: MockKeystone, cloud: ProtectedOrigins? = nil, user: String = "alice", password: String? = "wonderland",
        project: String? = nil, totpSecret: String? = nil, _ person: Person? = nil
    ) -> KeystonePasswordObserver {
        KeystonePasswordObserver(
            parameters: KeystonePasswordParameters(
                identityURL: mock.identityURL, cloud: cloud ?? [mock.identityURL, mock.url], user: user, password: password,
                project: project, totpSecret: totpSecret),
            prompting: person)
    }

    private func call(_ url: URL, _ session: Session) async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: url)), session)
    }

    /// Returns the bodies of the requests for tokens, with the members of objects in alphabetical order.
    private func logins(_ mock: MockKeystone) throws -> [String] {
        try mock.requests.filter { $0.method == "POST" }.map { request in
            let object = try JSONSerialization.jsonObject(with: request.body)
            return String(decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]), as: UTF8.self)
        }
    }

    private func resources(_ mock: MockKeystone) -> [ReceivedRequest] { mock.requests.filter { $0.method == "GET" } }

    @Test func `one token serves all services of the cloud`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
            #expect(try await call(mock.identityURL.appending(path: "projects"), session) == 200)
            #expect(mock.statistics == .counts(challenges: 1, answered: 2, logins: 1))
        }
    }

    @Test func `a logout revokes a stored token that another session got, and deletes it`() async throws {
        try await MockKeystone.run { mock in
            let store = MemoryCredentialStore()
            func observer() -> KeystonePasswordObserver {
                KeystonePasswordObserver(
                    parameters: KeystonePasswordParameters(
                        identityURL: mock.identityURL, cloud: [mock.url], user: "alice", password: "wonderland"),
                    prompting: nil, store: store)
            }
            await withSession { (session) async throws in
                session.register(observer())
                #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
            }
            // This session has sent no request.
            await withSession { (session) async throws in
                session.register(observer())
                try await session.logOut()
            }
            #expect(mock.statistics.revocations == 1 && mock.statistics.logins == 1)
            await withSession { (session) async throws in
                session.register(observer())
                try await session.logOut()
                #expect(mock.statistics.revocations == 1)
                #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
            }
            #expect(mock.statistics.logins == 2)
        }
    }

    @Test func `a TOTP secret that is not Base32 is an error that names the user, and no server starts`() async {
        let error = await #expect(throws: (any Error).self) {
            try await MockKeystone.run(totpSecrets: ["mfa": "not Base32"]) { _ in }
        }
        #expect(error.map { "\($0)" } == "The TOTP secret of 'mfa' is not Base32.")
    }

    @Test func `a logout revokes the token`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
            try await session.logOut()
            #expect(mock.statistics.revocations == 1)
            #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
            #expect(mock.statistics.logins == 2)
        }
    }

    @Test func `an address with a slash at its end is as good`() async throws {
        try await run { (mock, session) async throws in
            let parameters = KeystonePasswordParameters(
                identityURL: mock.identityURL.appending(path: "/"), cloud: [mock.url], user: "alice", password: "wonderland")
            #expect(parameters.identityURL.absoluteString.hasSuffix("/v3/"))
            session.register(KeystonePasswordObserver(parameters: parameters))
            #expect(try await call(mock.url.appending(path: "servers"), session) == 200)
        }
    }

    @Test func `a sign-in takes one request, and its token goes with each further one`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            for _ in 0..<2 { #expect(try await call(mock.url.appending(path: "servers"), session) == 200) }
            #expect(mock.statistics == .counts(challenges: 1, answered: 2, logins: 1))
            #expect(resources(mock).map { $0.fields["x-auth-token"] != nil } == [false, true, true])
            for request in resources(mock) {
                #expect(request.fields["authorization"] == nil)
                #expect(!request.fields.values.contains { $0.contains("wonderland") })
                #expect(request.body.isEmpty)
            }
        }
    }

    @Test func `a second factor follows with the receipt, computed from its key`() async throws {
        try await run { (mock, session) async throws in
            let person = Person()
            session.register(observer(mock, user: "mfa", totpSecret: MockKeystone.totpSecret, person))
            #expect(try await call(mock.url, session) == 200)
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, logins: 1, receipts: 1))
            #expect(person.passwordPrompts.isEmpty && person.passcodePrompts.isEmpty)
            let posted = mock.requests.filter { $0.method == "POST" }
            #expect(posted.map { $0.fields["openstack-auth-receipt"] != nil } == [false, true])
            #expect(!posted.contains { $0.fields["x-auth-token"] != nil })
            let user = #""domain":{"name":"Default"},"name":"mfa""#
            #expect(
                try logins(mock).map { $0.replacing(#/"[0-9]{6}"/#, with: #""CODE""#) } == [
                    #"{"auth":{"identity":{"methods":["password"],"password":{"user":{\#(user),"password":"wonderland"}}}}}"#,
                    #"{"auth":{"identity":{"methods":["totp"],"totp":{"user":{\#(user),"passcode":"CODE"}}}}}"#,
                ])
            #expect(!resources(mock).contains { $0.fields["openstack-auth-receipt"] != nil })
        }
    }

    @Test func `a passcode is typed, and typed again if it is wrong`() async throws {
        try await run { (mock, session) async throws in
            let identity = try #require(Origin(mock.identityURL))
            let person = Person(passcodes: ["wrong", try #require(mock.passcode(of: "mfa"))])
            session.register(observer(mock, user: "mfa", person))
            #expect(try await call(mock.url, session) == 200)
            #expect(person.passwordPrompts.isEmpty)
            #expect(person.passcodePrompts.map(\.refusals) == [0, 1])
            #expect(person.passcodePrompts.map(\.origin) == [identity, identity])
            #expect(mock.statistics.refusals == 1)
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.sends == 2)
        }
    }

    @Test func `a second factor that nobody can give is an error`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock, user: "mfa"))
            #expect(await code { try await call(mock.url, session) } == .credentialMissing)
            #expect(mock.statistics == .counts(challenges: 1, receipts: 1))
        }
    }

    @Test func `a password is typed for the Identity service, and typed again if it is wrong`() async throws {
        try await run { (mock, session) async throws in
            let identity = try #require(Origin(mock.identityURL))
            let person = Person(passwords: ["wrong", "wonderland"])
            session.register(observer(mock, password: nil, person))
            #expect(try await call(mock.url, session) == 200)
            #expect(person.passwordPrompts.map(\.refusals) == [0, 1])
            #expect(person.passwordPrompts.map(\.origin) == [identity, identity])
            #expect(person.passwordPrompts.map(\.url) == [mock.url, mock.url])
            #expect(person.passcodePrompts.isEmpty)
            #expect(mock.statistics == .counts(challenges: 1, answered: 1, logins: 1, refusals: 1))
        }
    }

    @Test func `without a password, and with nobody to ask, nothing is sent to the Identity service`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock, password: nil))
            #expect(await code { try await call(mock.url, session) } == .credentialMissing)
            #expect(mock.statistics == .counts(challenges: 1))
        }
    }

    @Test(arguments: [nil, "demo"] as [String?]) func `a token is for the project, if there is one`(_ project: String?) async throws
    {
        try await run { (mock, session) async throws in
            session.register(observer(mock, user: "mfa", project: project, totpSecret: MockKeystone.totpSecret))
            #expect(try await call(mock.url, session) == 200)
            let scope = #","scope":{"project":{"domain":{"name":"Default"},"name":"demo"}}}}"#
            let logins = try logins(mock)
            #expect(logins.count == 2)
            for login in logins { #expect(project == nil ? !login.contains("scope") : login.hasSuffix(scope), "\(login)") }
        }
    }

    @Test func `a project that the user has no part in is refused`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock, project: "other"))
            #expect(await code { try await call(mock.url, session) } == .refusedByServer)
            #expect(mock.statistics == .counts(challenges: 1, refusals: 1))
        }
    }

    @Test(arguments: [false, true]) func `a wrong password of the parameters is sent once, and nobody is asked for another`(
        hasPerson: Bool
    ) async throws {
        try await run { (mock, session) async throws in
            let person = Person(passwords: ["wonderland"])
            session.register(observer(mock, password: "wrong", hasPerson ? person : nil))
            #expect(await code { try await call(mock.url, session) } == .refusedByServer)
            #expect(mock.statistics == .counts(challenges: 1, refusals: 1))
            #expect(person.passwordPrompts.isEmpty)
        }
    }

    @Test func `a hundred requests at once take one login`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock, user: "mfa", totpSecret: MockKeystone.totpSecret))
            let gate = mock.hold(until: 100, limit: .seconds(120))
            let statuses = await withTaskGroup(of: Int?.self) { group in
                for _ in 0..<100 { group.addTask { try? await call(mock.url, session) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses == Array(repeating: 200, count: 100))
            #expect(!gate.hasTimedOut)
            #expect(mock.statistics == .counts(challenges: 100, answered: 100, logins: 1, receipts: 1))
        }
    }

    @Test func `a token that the cloud takes no more is replaced by one login`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock))
            #expect(try await call(mock.url, session) == 200)
            mock.forgetTokens()
            #expect(try await call(mock.url, session) == 200)
            #expect(mock.statistics == .counts(challenges: 2, answered: 2, logins: 2))
            #expect(resources(mock).map { $0.fields["x-auth-token"] != nil } == [false, true, true, true])
        }
    }

    @Test func `a service outside the cloud gets no token, and leads to no login`() async throws {
        try await run { (mock, session) async throws in
            session.register(observer(mock, cloud: [mock.identityURL]))
            #expect(try await call(mock.url, session) == 401)
            #expect(mock.statistics == .counts(challenges: 1))
            #expect(try await call(mock.identityURL.appending(path: "users"), session) == 200)
            #expect(try await call(mock.url, session) == 401)
            #expect(mock.statistics == .counts(challenges: 3, answered: 1, logins: 1))
            #expect(resources(mock).filter { $0.path == mock.url.path }.allSatisfy { $0.fields["x-auth-token"] == nil })
        }
    }
}

extension MockKeystone.Statistics {
    /// Statistics in which all other counts are zero.
    fileprivate static func counts(
        challenges: Int = 0, answered: Int = 0, logins: Int = 0, receipts: Int = 0, refusals: Int = 0
    ) -> Self {
        var statistics = Self()
        statistics.challenges = challenges
        statistics.answered = answered
        statistics.sends = challenges + answered
        statistics.logins = logins
        statistics.receipts = receipts
        statistics.refusals = refusals
        statistics.tokenRequests = logins + receipts + refusals
        return statistics
    }
}
