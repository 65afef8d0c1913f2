import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import Testing

/// The mock's Secure Login Server, asked by hand.
@Suite(.timeLimit(.minutes(10))) struct MockSecureLoginTests {
    private func run(
        _ rounds: [MockSecureLoginOptions.Round] = [.password, .passcode], tls: Bool = false,
        _ body: (EnrollmentCaller, MockSecureLogin) async throws -> Void
    ) async throws {
        // Time stands still, however slow the machine is.
        let now = ContinuousClock.now
        try await EnrollmentCaller.run(tls: tls) {
            $0.secureLogin?.rounds = rounds
            $0.secureLogin?.now = { now }
        } _: { caller in
            try await body(caller, try #require(caller.mock.secureLogin))
        }
    }

    /// Goes on with a login.
    private func submit(
        _ values: [String: String], salt: String?, _ caller: EnrollmentCaller
    ) async throws -> EnrollmentCaller.Answer {
        let url = try #require(caller.mock.secureLogin).loginEndpoint
        return try await caller.post(url, ["salt": try #require(salt), "values": values])
    }

    @Test func `a login has its pages, and ends with a ticket for a certificate`() async throws {
        try await run(tls: true) { caller, server in
            let first = try await caller.post(server.loginEndpoint, [:])
            #expect(first.status == 200)
            #expect(first.fields[.contentType] == "application/json")
            let page = try first.body
            #expect(page.fields?.map(\.name) == ["user", "password"])
            #expect(page.fields?.map(\.type) == ["plain", "hidden"])
            #expect(page.fields?.map(\.preset) == ["", nil])
            #expect(page.messageType == "information")
            #expect(page.salt?.utf8.count == 32)
            #expect(page.ticket == nil)
            let second = try await submit(["user": "alice", "password": "wonderland"], salt: page.salt, caller)
            #expect(try second.body.fields?.map(\.name) == ["passcode"])
            #expect(try second.body.salt == page.salt)
            let last = try await submit(["passcode": "271828"], salt: page.salt, caller)
            #expect(last.status == 200)
            #expect(try last.body.fields == nil)
            let ticket = try #require(try last.body.ticket)

            let (pem, key) = try EnrollmentCaller.request("CN=eve,O=Elsewhere", names: [.dns("eve.example")])
            let answer = try await caller.post(server.certificateEndpoint, ["ticket": ticket, "certificateRequest": pem])
            #expect(answer.status == 200)
            let identity = try EnrollmentCaller.identity(answer, key: key).connectionIdentity
            let resource = try await caller.send(.get, caller.mock.baseURL.appending(path: "orders"), identity: identity)
            #expect(resource.status == 200)
            #expect(resource.text.contains(#""user":"alice""#), "the certificate is that of who has logged in")

            let again = try await caller.post(server.certificateEndpoint, ["ticket": ticket, "certificateRequest": pem])
            #expect(again.status == 403)
            #expect(try again.body.message != nil)
            let counted = caller.mock.statistics.secureLogin
            #expect(counted.begun == 1 && counted.loginRequests == 3 && counted.logins == 1)
            #expect(counted.certificateRequests == 2 && counted.badTickets == 1 && counted.issued.count == 1)
        }
    }

    @Test func `wrong values are refused, and the page can be filled in again`() async throws {
        try await run([.password]) { caller, server in
            let salt = try await caller.post(server.loginEndpoint, [:]).body.salt
            let wrong: [[String: String]] = [
                ["user": "alice", "password": "wrong"], ["user": "eve", "password": "wonderland"], ["user": "alice"], [:],
                ["user": "alice", "password": "wonderland", "more": ""],
            ]
            for values in wrong {
                let answer = try await submit(values, salt: salt, caller)
                #expect(answer.status == 401)
                #expect(try answer.body.message != nil)
            }
            let answer = try await submit(["user": "alice", "password": "wonderland"], salt: salt, caller)
            #expect(try answer.body.ticket != nil)
            #expect(caller.mock.statistics.secureLogin.wrongValues == wrong.count)
        }
    }

    @Test func `a salt is one login's, and not for ever`() async throws {
        try await run([.password, .passcode]) { caller, server in
            let values = ["user": "alice", "password": "wonderland"]
            #expect(try await submit(values, salt: "unknown", caller).status == 403)
            let (one, other) = (
                try await caller.post(server.loginEndpoint, [:]).body.salt,
                try await caller.post(server.loginEndpoint, [:]).body.salt
            )
            #expect(one != other)
            #expect(try await submit(values, salt: one, caller).status == 200)
            #expect(try await submit(["passcode": "271828"], salt: other, caller).status == 401, "the other is at its first page")
            caller.mock.advanceSecureLogin(by: .seconds(119))
            #expect(try await submit(["passcode": "271828"], salt: one, caller).status == 200)
            #expect(try await submit(["passcode": "271828"], salt: one, caller).status == 403, "it has ended")
            caller.mock.advanceSecureLogin(by: .seconds(1))
            #expect(try await submit(values, salt: other, caller).status == 403, "it is too old")
            #expect(caller.mock.statistics.secureLogin.unknownSalts == 3)
        }
    }

    @Test func `a ticket is not for ever, and a failed request uses it up`() async throws {
        try await run([.password]) { caller, server in
            let pem = try EnrollmentCaller.request().pem
            func ticket() async throws -> String {
                let salt = try await caller.post(server.loginEndpoint, [:]).body.salt
                return try #require(try await submit(["user": "alice", "password": "wonderland"], salt: salt, caller).body.ticket)
            }
            let old = try await ticket()
            caller.mock.advanceSecureLogin(by: .seconds(120))
            #expect(try await caller.post(server.certificateEndpoint, ["ticket": old, "certificateRequest": pem]).status == 403)
            let spent = try await ticket()
            #expect(
                try await caller.post(server.certificateEndpoint, ["ticket": spent, "certificateRequest": "PEM"]).status == 400)
            #expect(try await caller.post(server.certificateEndpoint, ["ticket": spent, "certificateRequest": pem]).status == 403)
        }
    }

    @Test func `a new password is repeated, and a disclaimer is acknowledged`() async throws {
        try await run([.disclaimer("Authorized use only."), .newPassword]) { caller, server in
            let first = try await caller.post(server.loginEndpoint, [:])
            let page = try first.body
            #expect(page.disclaimer == "Authorized use only.")
            #expect(page.fields == [])
            #expect(page.message == nil)
            let second = try await submit([:], salt: page.salt, caller).body
            #expect(second.fields?.map(\.name) == ["new", "again"])
            #expect(second.fields?.map(\.confirms) == [nil, "new"])
            #expect(second.messageType == "warning")
            #expect(try await submit(["new": "a", "again": "b"], salt: page.salt, caller).status == 401)
            #expect(try await submit(["new": "", "again": ""], salt: page.salt, caller).status == 401)
            #expect(try await submit(["new": "a", "again": "a"], salt: page.salt, caller).body.ticket != nil)
        }
    }

    @Test func `what is no request of the protocol is refused`() async throws {
        try await run { caller, server in
            let elsewhere = caller.mock.baseURL.appending(path: "SecureLoginServer/login/other")
            let answers = [
                try await caller.post(server.loginEndpoint, ["salt": "x"]),
                try await caller.post(server.loginEndpoint, ["values": ["a": "b"]]),
                try await caller.send(.post, server.loginEndpoint, body: "no JSON"),
                try await caller.post(server.certificateEndpoint, ["ticket": "x"]),
                try await caller.send(.get, server.loginEndpoint),
                try await caller.post(elsewhere, [:]),
            ]
            #expect(answers.map(\.status) == [400, 400, 400, 400, 405, 404])
        }
    }

    @Test func `faults take the place of pages and certificates`() async throws {
        try await run([]) { caller, server in
            caller.mock.inject(enrollmentFault: .members(["fields": "7"]), at: .login)
            #expect(try await caller.post(server.loginEndpoint, [:]).text.hasSuffix(#""fields":7}"#))
            caller.mock.inject(enrollmentFault: .foreignCertificate, at: .certificate)
            let ticket = try #require(try await caller.post(server.loginEndpoint, [:]).body.ticket)
            let (pem, key) = try EnrollmentCaller.request()
            let answer = try await caller.post(server.certificateEndpoint, ["ticket": ticket, "certificateRequest": pem])
            #expect(throws: IdentityError.self) { try EnrollmentCaller.identity(answer, key: key) }
        }
    }

    @Test func `faults print nothing of what they carry`() {
        let faults: [MockEnrollmentFault] = [
            .answer(status: 500, body: "canary"), .members(["ticket": "\"canary\""]), .html, .connectionReset, .foreignCertificate,
            .issuerAlone,
        ]
        for fault in faults {
            var dumped = ""
            dump(fault, to: &dumped)
            #expect(!"\(fault) \(String(reflecting: fault)) \(dumped)".contains("canary"))
        }
    }
}
