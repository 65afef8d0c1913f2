@_spi(Generated) import Countersign
import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The behavior that the description defines, and the behavior that the rules of the server define.
@Suite(.takesTurns) struct MockRulesTests {
    @Test func `status and field of the challenge are the described ones`() async throws {
        let landscape = SampleLandscape(rules: .described, statuses: [403, 401], match: .prefix("Form "))
        try await withMock(landscape) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 403)
            #expect(answer.headers[challengeField].first?.hasPrefix("Form") == true)
        }
    }

    @Test func `a landscape without rules of its own is served at the described addresses`() async throws {
        let landscape = SampleLandscape(rules: .described, launcher: "/begin", finish: "/end?done=1")
        try await withMock(landscape) { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            let answer = try await login.answer(launcher: "begin")
            let session = try await client.post(try #require(answer.formAction), form: answer.formFields).cookie("X-SMP-SESSID")
            let launched = try await client.get(mock.baseURL.appending(path: "begin"), cookies: [session])
            #expect(launched.location == "\(mock.baseURL.absoluteString)/end?done=1")
            #expect(try await client.send(.GET, try #require(launched.location), cookies: [session]).status == 200)
        }
    }

    @Test func `a described challenge is not what a server with another one sends`() async throws {
        try await withMock(SampleLandscape(statuses: [401], match: .present)) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 200)
            #expect(answer.headers[challengeField] == ["login-request"])
        }
    }

    @Test func `a signature that the options name is sent, and one that is not there is an error`() async throws {
        var options = MockOptions()
        options.signatures = ["SAML": "login-request"]
        try await withMock(SampleLandscape(statuses: [401]), options: options) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 401)
        }
    }

    @Test func `a signature that is not there is an error`() async throws {
        var options = MockOptions()
        options.signatures = ["SAML": "login-reqest"]
        do {
            _ = try await MockLandscape.start(SampleLandscape().landscape, rules: .sample, options: options)
            Issue.record("started")
        } catch let error as MockLandscapeError {
            #expect(error == .unknownSignature(method: "SAML", name: "login-reqest"))
        }
    }

    @Test func `a described launcher that the server does not have is challenged and leads nowhere`() async throws {
        try await withMock(SampleLandscape(launcher: "/SAMLLauncher")) { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "SAMLLauncher"))
            #expect(answer.headers.contains(name: challengeField))
            #expect(answer.formAction == nil)
        }
    }

    @Test func `a described finish that the server does not have is not where the launcher leads`() async throws {
        try await withMock(SampleLandscape(finish: "/SAMLAuthLauncher?finished=true")) { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            let launched = try await client.get(mock.baseURL.appending(path: "SAMLAuthLauncher"), cookies: [session])
            #expect(launched.location?.contains("finishEndpointParam=") == true)
        }
    }

    @Test(arguments: [(ServerRules.sample, 204), (.described, 200)])
    func `rules hold only where they are given`(rules: ServerRules, status: Int) async throws {
        try await withMock(SampleLandscape(rules: rules)) { (mock, client) async throws in
            let answer = try await client.send(.POST, "\(mock.baseURL.absoluteString)/mobileservices/sessions/logout")
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        (
            SampleLandscape(rules: .described, launcher: "https://login.example/begin"), "acquire.present.open",
            "login.example"
        ),
        (SampleLandscape(launcher: "http://login.example/SAMLAuthLauncher"), "acquire.present.open", "login.example"),
        (SampleLandscape(rules: .described, launcher: "/a", finish: "/a"), "acquire.present.ends-at", "query"),
    ])
    func `what cannot be played is said at the start, by the key of the spec`(
        sample: SampleLandscape, key: String, word: String
    ) async throws {
        let error = await #expect(throws: MockLandscapeError.self) {
            _ = try await MockLandscape.start(sample.landscape, rules: sample.rules)
        }
        guard case .unplayable("SAML", key, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(word))
        #expect(error?.description.contains("'\(key)' of 'SAML'") == true)
    }

    @Test func `a method that no server is known for cannot be served, and is named`() async throws {
        let landscape = Landscape(name: "Unknown", summary: "", loggingPrefix: "") { _ in [Self.withoutPages] }
        let error = await #expect(throws: MockLandscapeError.self) {
            _ = try await MockLandscape.start(landscape, rules: .described)
        }
        #expect(error == .unknownKind(method: "Pageless"))
        #expect(error?.description.contains("'Pageless'") == true)
    }

    /// A method whose credential is cookies, without a page that sets them.
    private static let withoutPages = MethodProgram(
        name: "Pageless", summary: "Has no page.", slots: [], challenges: [ChallengePattern("a", statuses: [401])],
        credential: CredentialShape(destinations: [], isSessionCookies: true)
    ).description(mock: MockDescription())

    @Test func `a landscape without methods cannot be served`() async throws {
        let landscape = Landscape(name: "Empty", summary: "", loggingPrefix: "") { _ in [] }
        await #expect(throws: MockLandscapeError.noMethods) { _ = try await MockLandscape.start(landscape, rules: .described) }
    }
}
