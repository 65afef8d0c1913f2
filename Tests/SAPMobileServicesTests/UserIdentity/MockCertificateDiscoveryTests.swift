import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

/// The mock's certificate discovery service, called without the client.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct MockCertificateDiscoveryTests {
    private func service(_ caller: EnrollmentCaller) throws -> MockCertificateDiscovery {
        try #require(caller.mock.certificateDiscovery)
    }

    @Test func `without a good token nothing is said`() async throws {
        try await EnrollmentCaller.run { caller in
            let service = try service(caller)
            for token in [nil, "wrong"] {
                for (method, url) in [
                    (HTTPRequest.Method.get, service.attributesEndpoint), (.post, service.requestEndpoint),
                    (.post, service.retireEndpoint),
                ] {
                    let answer = try await caller.send(method, url, token: token, body: method == .post ? "{}" : nil)
                    #expect(answer.status == 401)
                    #expect(answer.fields[.wwwAuthenticate]?.hasPrefix("Bearer ") == true)
                }
            }
            let counted = caller.mock.certificateDiscoveryStatistics
            #expect(counted.attributes == 2 && counted.requests == 2 && counted.retirements == 2)
            #expect(counted.issued == [] && counted.retired == [])
        }
    }

    @Test func `the attributes are the user's`() async throws {
        try await EnrollmentCaller.run { caller in
            let answer = try await caller.send(
                .get, try service(caller).attributesEndpoint, token: try await caller.token(for: "jürgen"))
            #expect(answer.status == 200)
            #expect(answer.fields[.contentType] == "application/json")
            #expect(answer.text == #"{"subject":"CN=jürgen,OU=Sales,O=Example","keyType":"p256"}"#)
        }
    }

    @Test func `the attributes are those of the options`() async throws {
        try await EnrollmentCaller.run {
            $0.certificateDiscovery?.subject = "CN=alice,C=DE"
            $0.certificateDiscovery?.dns = ["alice.example.com"]
            $0.certificateDiscovery?.email = ["alice@example.com", "a@example.com"]
            $0.certificateDiscovery?.keyType = nil
        } _: { caller in
            let answer = try await caller.send(.get, try service(caller).attributesEndpoint, token: try await caller.token())
            let names = #""subjectAlternativeNames":{"dns":["alice.example.com"],"email":["alice@example.com","a@example.com"]}"#
            #expect(answer.text == #"{"subject":"CN=alice,C=DE",\#(names)}"#)
        }
    }

    @Test(arguments: [IdentityKey.Kind.p256, .rsa2048])
    func `a request as the attributes want it becomes a certificate`(kind: IdentityKey.Kind) async throws {
        try await EnrollmentCaller.run {
            $0.certificateDiscovery?.email = ["alice@example.com"]
            $0.certificateDiscovery?.dns = ["alice.example.com"]
            $0.certificateDiscovery?.keyType = kind == .p256 ? .p256 : .rsa2048
        } _: { caller in
            let (pem, key) = try EnrollmentCaller.request(
                names: [.email("alice@example.com"), .dns("alice.example.com")], kind: kind)
            let answer = try await caller.post(
                try service(caller).requestEndpoint, token: try await caller.token(), ["certificateRequest": pem])
            #expect(answer.status == 201)
            let identity = try EnrollmentCaller.identity(answer, key: key)
            #expect(identity.certificateChain.count == 2)
            #expect(caller.mock.certificateDiscoveryStatistics.issued.count == 1)
        }
    }

    @Test func `a request that does not agree is refused, and says why`() async throws {
        try await EnrollmentCaller.run { caller in
            let (url, token) = (try service(caller).requestEndpoint, try await caller.token())
            let good = try EnrollmentCaller.request().pem
            let forged = try #require(Self.forge(good))
            let bodies: [(String, [String: Any])] = [
                ("subject", ["certificateRequest": try EnrollmentCaller.request("CN=eve,OU=Sales,O=Example").pem]),
                ("names", ["certificateRequest": try EnrollmentCaller.request(names: [.email("alice@example.com")]).pem]),
                ("kind of key", ["certificateRequest": try EnrollmentCaller.request(kind: .rsa2048).pem]),
                ("signed", ["certificateRequest": forged]), ("read", ["certificateRequest": "PEM"]), ("JSON", ["other": good]),
                ("JSON", ["certificateRequest": 1]),
            ]
            for (word, members) in bodies {
                let answer = try await caller.post(url, token: token, members)
                #expect(answer.status == 400)
                #expect(try answer.body.message?.contains(word) == true, "\(word): \(answer.text)")
            }
            let text = try await caller.send(.post, url, token: token, type: "text/plain", body: "{}")
            #expect(text.status == 400)
            let wrongMethod = try await caller.send(.get, url, token: token)
            #expect(wrongMethod.status == 405)
            #expect(caller.mock.certificateDiscoveryStatistics.issued == [])
        }
    }

    @Test func `a certificate opens the resource until it is retired`() async throws {
        try await EnrollmentCaller.run(tls: true) { caller in
            let (service, token) = (try service(caller), try await caller.token())
            let (pem, key) = try EnrollmentCaller.request()
            let issued = try await caller.post(service.requestEndpoint, token: token, ["certificateRequest": pem])
            let identity = try EnrollmentCaller.identity(issued, key: key).connectionIdentity
            let resource = caller.mock.baseURL.appending(path: "orders")
            let opened = try await caller.send(.get, resource, identity: identity)
            #expect(opened.status == 200)
            #expect(opened.text.contains(#""user":"alice""#))

            let serial = try #require(caller.mock.certificateDiscoveryStatistics.issued.first)
            let unknown = try await caller.post(service.retireEndpoint, token: token, ["serialNumber": "00" + serial])
            #expect(unknown.status == 404)
            let retired = try await caller.post(service.retireEndpoint, token: token, ["serialNumber": serial])
            #expect(retired.status == 204)
            #expect(retired.text == "")
            let closed = try await caller.send(.get, resource, identity: identity)
            #expect(closed.status == 400)
            let again = try await caller.post(service.retireEndpoint, token: token, ["serialNumber": serial])
            #expect(again.status == 404)
            #expect(caller.mock.certificateDiscoveryStatistics.retired == [serial])
        }
    }

    @Test(arguments: [false, true])
    func `the configuration has the seeds' keys and the server's pin`(tls: Bool) async throws {
        try await EnrollmentCaller.run(tls: tls) { caller in
            let data = try #require(caller.mock.makeCertificateDiscoveryConfiguration())
            let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let name = "com.sap.mobilesecure.certificateService."
            let parts = ["attributesEndpoint", "authType", "publicKeyPinSet", "requestEndpoint", "retireEndpoint"]
            #expect(members.keys.sorted() == parts.map { name + $0 })
            let pins = try #require(members[name + "publicKeyPinSet"] as? [String])
            #expect(pins.count == (tls ? 1 : 0))
            let address = try #require(members[name + "attributesEndpoint"] as? String)
            let url = try #require(URL(string: address))
            var request = SessionRequest(HTTPRequest(method: .get, url: url))
            request.pins = pins.isEmpty ? nil : try ServerPins(pins)
            #expect(try await caller.transport.send(request).head.status == .unauthorized)
            guard tls else { return }
            request.pins = try ServerPins(["sha256/d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="])
            let pinned = request
            let error = await #expect(throws: TransportError.self) { _ = try await caller.transport.send(pinned) }
            #expect(error?.reason == .pinMismatch)
            #expect(caller.mock.certificateDiscoveryStatistics.attributes == 1)
        }
    }

    @Test func `faults take the place of answers, in order`() async throws {
        try await EnrollmentCaller.run { caller in
            let (mock, service, token) = (caller.mock, try service(caller), try await caller.token())
            mock.inject(enrollmentFault: .answer(status: 503, body: "busy", contentType: "text/plain"), at: .attributes)
            mock.inject(enrollmentFault: .html, at: .attributes)
            mock.inject(enrollmentFault: .members(["subject": "7", "keyType": nil]), at: .attributes)
            let busy = try await caller.send(.get, service.attributesEndpoint, token: token)
            #expect(busy.status == 503 && busy.text == "busy")
            let page = try await caller.send(.get, service.attributesEndpoint, token: token)
            #expect(page.fields[.contentType]?.hasPrefix("text/html") == true)
            let wrong = try await caller.send(.get, service.attributesEndpoint, token: token)
            #expect(wrong.text == #"{"subject":7}"#)
            let right = try await caller.send(.get, service.attributesEndpoint, token: token)
            #expect(try right.body.subject == "CN=alice,OU=Sales,O=Example")

            let (pem, key) = try EnrollmentCaller.request()
            mock.inject(enrollmentFault: .foreignCertificate, at: .request)
            let foreign = try await caller.post(service.requestEndpoint, token: token, ["certificateRequest": pem])
            #expect(foreign.status == 201)
            #expect(throws: IdentityError.self) { try EnrollmentCaller.identity(foreign, key: key) }
            mock.inject(enrollmentFault: .issuerAlone, at: .request)
            let issuer = try await caller.post(service.requestEndpoint, token: token, ["certificateRequest": pem])
            #expect(try issuer.body.certificate == String(decoding: caller.authority.pem, as: UTF8.self))

            mock.inject(enrollmentFault: .connectionReset, times: .max)
            _ = await #expect(throws: TransportError.self) { try await caller.send(.get, service.attributesEndpoint, token: token) }
            mock.removeFaults()
            #expect(try await caller.send(.get, service.attributesEndpoint, token: token).status == 200)
        }
    }

    @Test func `without the option there is no service, and without tokens it cannot be`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            #expect(mock.certificateDiscovery == nil)
            #expect(mock.secureLogin == nil)
            #expect(mock.makeCertificateDiscoveryConfiguration() == nil)
            #expect(mock.publicKeyPin == nil)
        }
        var options = MockOptions()
        options.certificateDiscovery = MockCertificateDiscoveryOptions()
        let whole = Landscape.sapMobileServices
        let bare = Landscape(name: whole.name, summary: "No tokens.", loggingPrefix: "Bare") { base in
            whole.methods(base).filter { $0.name == "SAML" }
        }
        let wrong = options
        await #expect(throws: MockLandscapeError.noTokens) {
            _ = try await MockLandscape.start(bare, rules: .sapMobileServices, options: wrong)
        }
    }

    /// Returns the request with the last byte of its signature changed.
    private static func forge(_ pem: String) -> String? {
        var lines = pem.split(separator: "\n").map(String.init)
        guard lines.count > 2, var bytes = Data(base64Encoded: lines.dropFirst().dropLast().joined()), let last = bytes.indices.last
        else {
            return nil
        }
        bytes[last] ^= 1
        lines = [
            lines[0], bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]), lines[lines.count - 1],
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
