import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

/// The mock's Secure Login Server, called without the client.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct MockSecureLoginTests {
    private func run(
        _ rounds: [MockSecureLoginOptions.Round] = [.password, .passcode], tls: Bool = false,
        _ body: (EnrollmentCaller, MockSecureLogin) async throws -> Void
    ) async throws {
        // The mock's clock stands still, so that a slow machine causes no timeout.
        let now = ContinuousClock.now
        try await EnrollmentCaller.run(tls: tls) {
            $0.secureLogin?.rounds = rounds
            $0.secureLogin?.now = { now }
        } _: { caller in
            try await body(caller, try #require(caller.mock.secureLogin))
        }
    }

    /// Continues a login.
    private func submit(
        _ values: [String: String], salt: String?, _ caller: EnrollmentCaller
    ) async throws -> EnrollmentCaller.Answer {
        let url = try #require(caller.mock.secureLogin).loginEndpoint
        return try await caller.form(url, values.merging(["salt": try #require(salt)]) { $1 })
    }

    @Test func `a login has its pages, and ends in a session that gets a certificate`() async throws {
        try await run(tls: true) { caller, server in
            let first = try await caller.form(server.loginEndpoint, [:])
            #expect(first.status == 200)
            #expect(first.fields[.contentType] == "application/json")
            let page = try first.body
            #expect(page.inputFields?.map(\.fieldName) == ["user", "password"])
            #expect(page.inputFields?.map(\.type) == ["plain", "hidden"])
            #expect(page.inputFields?.map(\.preset) == ["", nil])
            #expect(page.messageType == "information")
            #expect(page.salt?.utf8.count == 32)
            #expect(first.cookie == nil)
            let second = try await submit(["user": "alice", "password": "wonderland"], salt: page.salt, caller)
            #expect(try second.body.inputFields?.map(\.fieldName) == ["passcode"])
            #expect(try second.body.salt == page.salt)
            let last = try await submit(["passcode": "271828"], salt: page.salt, caller)
            #expect(last.status == 200)
            #expect(try last.body.inputFields == nil)
            #expect(try last.body.certificateTemplate?.subject == "CN=alice,O=Countersign Mock")
            let cookie = try #require(last.cookie)

            let key = try IdentityKey(generating: .p256)
            let request = try CertificateRequest(
                subject: CertificateSubject("CN=eve,O=Elsewhere"), alternativeNames: [.dns("eve.example")], key: key
            ).der
            let answer = try await caller.certificate(server.certificateEndpoint, request, cookie: cookie)
            #expect(answer.status == 200)
            let certificates = try CertificateBundle(reading: answer.bytes).certificates
            #expect(certificates.count == 2)
            let identity = try ClientIdentity(certificates: certificates, privateKey: key).connectionIdentity
            let resource = try await caller.send(.get, caller.mock.baseURL.appending(path: "orders"), identity: identity)
            #expect(resource.status == 200)
            #expect(resource.text.contains(#""user":"alice""#), "the certificate is that of who has logged in")

            let again = try await caller.certificate(server.certificateEndpoint, request, cookie: cookie)
            #expect(again.status == 403)
            #expect(try again.body.clientMessage != nil)
            let counted = caller.mock.secureLoginStatistics
            #expect(counted.begun == 1 && counted.loginRequests == 3 && counted.logins == 1)
            #expect(counted.certificateRequests == 2 && counted.badTickets == 1 && counted.issued.count == 1)
        }
    }

    @Test func `wrong values are refused, and the page can be filled in again`() async throws {
        try await run([.password]) { caller, server in
            let salt = try await caller.form(server.loginEndpoint, [:]).body.salt
            let wrong: [[String: String]] = [
                ["user": "alice", "password": "wrong"], ["user": "eve", "password": "wonderland"], ["user": "alice"], [:],
                ["user": "alice", "password": "wonderland", "more": ""],
            ]
            for values in wrong {
                let answer = try await submit(values, salt: salt, caller)
                #expect(answer.status == 401)
                #expect(try answer.body.clientMessage != nil)
            }
            let answer = try await submit(["user": "alice", "password": "wonderland"], salt: salt, caller)
            #expect(answer.cookie != nil)
            #expect(caller.mock.secureLoginStatistics.wrongValues == wrong.count)
        }
    }

    @Test func `a salt belongs to one login, and expires`() async throws {
        try await run([.password, .passcode]) { caller, server in
            let values = ["user": "alice", "password": "wonderland"]
            #expect(try await submit(values, salt: "unknown", caller).status == 403)
            let (one, other) = (
                try await caller.form(server.loginEndpoint, [:]).body.salt,
                try await caller.form(server.loginEndpoint, [:]).body.salt
            )
            #expect(one != other)
            #expect(try await submit(values, salt: one, caller).status == 200)
            #expect(try await submit(["passcode": "271828"], salt: other, caller).status == 401, "the other is at its first page")
            caller.mock.advanceSecureLogin(by: .seconds(119))
            #expect(try await submit(["passcode": "271828"], salt: one, caller).status == 200)
            #expect(try await submit(["passcode": "271828"], salt: one, caller).status == 403, "it has ended")
            caller.mock.advanceSecureLogin(by: .seconds(1))
            #expect(try await submit(values, salt: other, caller).status == 403, "it is too old")
            #expect(caller.mock.secureLoginStatistics.unknownSalts == 3)
        }
    }

    @Test func `a login expires, and a failed request uses it up`() async throws {
        try await run([.password]) { caller, server in
            let request = try CertificateRequest(
                subject: CertificateSubject("CN=alice"), key: IdentityKey(generating: .p256)
            ).der
            func cookie() async throws -> String {
                let salt = try await caller.form(server.loginEndpoint, [:]).body.salt
                return try #require(try await submit(["user": "alice", "password": "wonderland"], salt: salt, caller).cookie)
            }
            let old = try await cookie()
            caller.mock.advanceSecureLogin(by: .seconds(120))
            #expect(try await caller.certificate(server.certificateEndpoint, request, cookie: old).status == 403)
            let spent = try await cookie()
            #expect(try await caller.certificate(server.certificateEndpoint, [0x30, 0], cookie: spent).status == 400)
            #expect(try await caller.certificate(server.certificateEndpoint, request, cookie: spent).status == 403)
            #expect(try await caller.certificate(server.certificateEndpoint, request, cookie: nil).status == 403)
        }
    }

    @Test func `a new password is repeated, and a disclaimer is acknowledged`() async throws {
        try await run([.disclaimer("Authorized use only."), .newPassword]) { caller, server in
            let first = try await caller.form(server.loginEndpoint, [:])
            let page = try first.body
            #expect(page.disclaimer == "Authorized use only.")
            #expect(page.inputFields == [])
            #expect(page.clientMessage == nil)
            let second = try await submit([:], salt: page.salt, caller).body
            #expect(second.inputFields?.map(\.fieldName) == ["new", "again"])
            #expect(second.inputFields?.map(\.confirmField) == [nil, "new"])
            #expect(second.messageType == "warning")
            #expect(try await submit(["new": "a", "again": "b"], salt: page.salt, caller).status == 401)
            #expect(try await submit(["new": "", "again": ""], salt: page.salt, caller).status == 401)
            #expect(try await submit(["new": "a", "again": "a"], salt: page.salt, caller).cookie != nil)
        }
    }

    @Test func `what is no request of the protocol is refused`() async throws {
        try await run { caller, server in
            let elsewhere = caller.mock.baseURL.appending(path: "SecureLoginServer/slc3/doLogin")
            let answers = [
                try await caller.send(.post, server.loginEndpoint, body: "{}"),
                try await caller.form(server.loginEndpoint, ["salt": "x"]),
                try await caller.certificate(server.certificateEndpoint, [], cookie: "SLSSESSION=x"),
                try await caller.send(.get, server.loginEndpoint),
                try await caller.form(elsewhere, [:]),
            ]
            #expect(answers.map(\.status) == [400, 403, 403, 405, 404])
        }
    }

    @Test func `faults take the place of pages and certificates`() async throws {
        try await run([]) { caller, server in
            caller.mock.inject(enrollmentFault: .answer(status: 200, body: "7"), at: .login)
            #expect(try await caller.form(server.loginEndpoint, [:]).text == "7")
            caller.mock.inject(enrollmentFault: .foreignCertificate, at: .certificate)
            let cookie = try #require(try await caller.form(server.loginEndpoint, [:]).cookie)
            let key = try IdentityKey(generating: .p256)
            let request = try CertificateRequest(subject: CertificateSubject("CN=alice"), key: key).der
            let answer = try await caller.certificate(server.certificateEndpoint, request, cookie: cookie)
            #expect(throws: IdentityError.self) {
                try ClientIdentity(certificates: CertificateBundle(reading: answer.bytes).certificates, privateKey: key)
            }
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
