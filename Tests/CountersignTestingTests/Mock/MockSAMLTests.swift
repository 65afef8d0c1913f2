import Countersign
import CountersignTesting
import Foundation
import NIOHTTP1
import TestTurns
import Testing

/// The protocol of the SAML mock, used without any part of Countersign: the challenge, the browser's path, and the session.
@Suite(.takesTurns) struct MockSAMLTests {
    @Test func `a request without a session is challenged as the description says`() async throws {
        try await withMock { (mock, client) async throws in
            let answer = try await client.get(mock.baseURL.appending(path: "resource"))
            #expect(answer.status == 200)
            #expect(answer.headers["com.sap.cloud.security.login"] == ["login-request"])
            #expect(answer.headers.first(name: "content-type") == "text/html; charset=utf-8")
            #expect(mock.statistics.challenges == 1)
            #expect(mock.statistics.resources == 0)
        }
    }

    @Test func `the way through the login ends at the finish URL, and the session opens resources`() async throws {
        try await withMock { (mock, client) async throws in
            let launcher = mock.baseURL.appending(path: "SAMLAuthLauncher")
            let start = try await client.get(launcher)
            #expect(start.status == 200)
            #expect(start.text.contains("<noscript>"))
            let script = try #require(start.text.firstMatch(of: /window\.location\.replace\("([^"]*)"\)/))
            #expect(script.1.hasPrefix("\(mock.identityProviderURL.absoluteString)/"))

            let login = Login(client: client, mock: mock)
            let answer = try await login.submit(
                try await client.post(start.formAction ?? "", form: start.formFields), user: "alice", password: "wonderland")
            #expect(answer.status == 200)
            #expect(answer.formFields.keys.sorted() == ["RelayState", "SAMLResponse"])

            let consumed = try await client.post(answer.formAction ?? "", form: answer.formFields)
            #expect(consumed.status == 302)
            #expect(consumed.location == "/SAMLAuthLauncher")
            let setCookie = try #require(consumed.headers.first(name: "set-cookie"))
            #expect(setCookie.hasPrefix("X-SMP-SESSID="))
            #expect(setCookie.hasSuffix("; Path=/; HttpOnly; SameSite=Lax"))

            let session = consumed.cookie("X-SMP-SESSID")
            let launched = try await client.get(launcher, cookies: [session])
            #expect(launched.status == 302)
            let finish = "\(mock.baseURL.absoluteString)/SAMLAuthLauncher?finishEndpointParam=someUnusedValue"
            #expect(launched.location == finish)
            let finished = try await client.send(.GET, finish, cookies: [session])
            #expect(finished.status == 200)

            let resource = try await client.send(
                .POST, "\(mock.baseURL.absoluteString)/resource/orders?top=1", cookies: [session], body: Array("für dich".utf8))
            #expect(resource.headers.first(name: "content-type") == "application/json")
            let decoded = try JSONDecoder().decode(MockResource.self, from: Data(resource.bytes))
            #expect(
                decoded == MockResource(user: "alice", method: "POST", path: "/resource/orders", bodyLength: 9, body: "für dich"))
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.strayCookies == 0)
        }
    }

    @Test func `the script of the launcher's page leads to the same form as the form for browsers without scripts`() async throws {
        try await withMock { (mock, client) async throws in
            let start = try await client.get(mock.baseURL.appending(path: "SAMLAuthLauncher"))
            let script = try #require(start.text.firstMatch(of: /window\.location\.replace\("([^"]*)"\)/))
            let target = script.1.replacing(/\\u([0-9a-f]{4})/) { match in
                UInt16(match.1, radix: 16).map { String(decoding: [$0], as: UTF16.self) } ?? ""
            }
            let form = try await client.send(.GET, String(target))
            #expect(form.status == 200)
            let login = Login(client: client, mock: mock)
            let answer = try await login.submit(form, user: "alice", password: "wonderland")
            #expect(try await client.post(answer.formAction ?? "", form: answer.formFields).cookie("X-SMP-SESSID") != nil)
        }
    }

    @Test func `a landscape that redirects does so at once`() async throws {
        let mock = MockDescription(sessionCookie: "X-SMP-SESSID", loginRedirect: .redirect)
        try await withMock(SampleLandscape(mock: mock)) { (mock, client) async throws in
            let start = try await client.get(mock.baseURL.appending(path: "SAMLAuthLauncher"))
            #expect(start.status == 302)
            let form = try await client.send(.GET, try #require(start.location))
            #expect(form.formFields.keys.contains("j_password"))
        }
    }

    @Test func `the login form can be used by everyone: language, labels, and an alert after a mistake`() async throws {
        try await withMock { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            let form = try await login.form()
            #expect(form.text.contains("<html lang=\"en\">"))
            #expect(form.text.contains("<label for=\"user\">"))
            #expect(form.text.contains("<label for=\"password\">"))
            #expect(!form.text.contains("role=\"alert\""))
            let again = try await login.submit(form, user: "alice \"<b>", password: "wrong")
            #expect(again.status == 200)
            #expect(again.text.contains("role=\"alert\""))
            #expect(!again.text.contains("<b>"))
        }
    }

    @Test func `a wrong password shows the form again, which then takes the right one`() async throws {
        try await withMock { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            let form = try await login.form()
            let again = try await login.submit(form, user: "alice", password: "Wonderland")
            #expect(again.formFields["SAMLResponse"] == nil)
            #expect(mock.statistics.wrongPasswords == 1)
            // The form is returned without a new cookie, because the browser still has the first one.
            let answer = try await client.post(
                mock.identityProviderURL.absoluteString + (again.formAction ?? ""),
                form: again.formFields.merging(["j_password": "wonderland"]) { $1 }, cookies: [form.cookie("mock-idp-browser")])
            #expect(answer.formFields["SAMLResponse"] != nil)
        }
    }

    @Test func `names and passwords beyond ASCII arrive as typed`() async throws {
        try await withMock { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            let session: String = try #require(try await login.session(user: "jürgen", password: "pässwörd€"))
            let answer = try await client.get(mock.baseURL.appending(path: "resource"), cookies: [session])
            #expect(try JSONDecoder().decode(MockResource.self, from: Data(answer.bytes)).user == "jürgen")
        }
    }

    @Test func `a browser that keeps no cookies cannot sign in`() async throws {
        try await withMock { (mock, client) async throws in
            let form = try await Login(client: client, mock: mock).form()
            let fields = form.formFields.merging(["j_username": "alice", "j_password": "wonderland"]) { $1 }
            let answer = try await client.post(mock.identityProviderURL.absoluteString + (form.formAction ?? ""), form: fields)
            #expect(answer.status == 400)
        }
    }

    @Test func `an assertion is taken once only`() async throws {
        try await withMock { (mock, client) async throws in
            let answer = try await Login(client: client, mock: mock).answer()
            let action = try #require(answer.formAction)
            #expect(try await client.post(action, form: answer.formFields).status == 302)
            #expect(try await client.post(action, form: answer.formFields).status == 403)
            #expect(mock.statistics.logins == 1)
            #expect(mock.statistics.refusedAssertions == 1)
        }
    }

    @Test func `an assertion is bound to the login that it answers`() async throws {
        try await withMock { (mock, client) async throws in
            let login = Login(client: client, mock: mock)
            let first = try await login.answer()
            let second = try await login.answer(user: "jürgen", password: "pässwörd€")
            var mixed = first.formFields
            mixed["RelayState"] = second.formFields["RelayState"]
            #expect(try await client.post(try #require(first.formAction), form: mixed).status == 403)
            #expect(mock.statistics.logins == 0)
        }
    }

    @Test func `an assertion that is too late is refused`() async throws {
        var options = MockOptions()
        options.loginLifetime = .zero
        try await withMock(options: options) { (mock, client) async throws in
            let answer = try await Login(client: client, mock: mock).answer()
            #expect(try await client.post(try #require(answer.formAction), form: answer.formFields).status == 403)
        }
    }

    @Test func `a message whose plus signs were not escaped is not understood`() async throws {
        try await withMock { (mock, client) async throws in
            let answer = try await Login(client: client, mock: mock).answer()
            let broken = answer.formFields.mapValues { $0.replacing("+", with: " ") }
            #expect(try await client.post(try #require(answer.formAction), form: broken).status == 400)
        }
    }

    @Test func `a user who is signed in at the identity provider is not asked again`() async throws {
        try await withMock { (mock, client) async throws in
            let known: String = try #require(try await Login(client: client, mock: mock).answer().cookie("mock-idp-user"))
            let start = try await client.get(mock.baseURL.appending(path: "SAMLAuthLauncher"))
            let answer = try await client.post(start.formAction ?? "", form: start.formFields, cookies: [known])
            #expect(answer.formFields["SAMLResponse"] != nil)
            #expect(mock.statistics.loginForms == 1)
        }
    }

    @Test func `an identity provider that forgets users asks each time`() async throws {
        var options = MockOptions()
        options.identityProviderRemembersUsers = false
        try await withMock(options: options) { (mock, client) async throws in
            let answer = try await Login(client: client, mock: mock).answer()
            #expect(answer.formFields["SAMLResponse"] != nil)
            #expect(answer.cookie("mock-idp-user") == nil)
        }
    }

    @Test(arguments: ["/mobileservices/sessions/logout", "/mobileservices/sessions/v2/logout"])
    func `logout ends the session`(path: String) async throws {
        try await withMock { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            let logout = try await client.send(.POST, mock.baseURL.absoluteString + path, cookies: [session])
            #expect(logout.status == 204)
            #expect(logout.headers["content-length"].isEmpty)
            #expect(logout.headers.first(name: "set-cookie")?.contains("Max-Age=0") == true)
            #expect(
                try await client.get(mock.baseURL.appending(path: "resource"), cookies: [session]).headers.contains(
                    name: challengeField))
            #expect(try await client.send(.POST, mock.baseURL.absoluteString + path).status == 204)
            #expect(mock.statistics.logouts == 1)
        }
    }

    @Test func `cookies of one server that come to the other are counted`() async throws {
        try await withMock { (mock, client) async throws in
            _ = try await client.get(mock.baseURL.appending(path: "resource"), cookies: ["mock-idp-user=1"])
            _ = try await client.get(mock.identityProviderURL.appending(path: "x"), cookies: ["X-SMP-SESSID=1"])
            #expect(mock.statistics.strayCookies == 2)
        }
    }

    @Test func `each server knows its own pages only`() async throws {
        try await withMock { (mock, client) async throws in
            let launcher = try await client.get(mock.identityProviderURL.appending(path: "SAMLAuthLauncher"))
            #expect(launcher.status == 404)
            let stranger = try await client.get(mock.baseURL.appending(path: "resource"), headers: ["host": "elsewhere.example"])
            #expect(stranger.status == 421)
        }
    }

    @Test func `two mocks share nothing`() async throws {
        try await withMock { (mock, client) async throws in
            let session = try #require(try await Login(client: client, mock: mock).session())
            try await withMock { (other, client) async throws in
                #expect(other.baseURL != mock.baseURL)
                let answer = try await client.get(other.baseURL.appending(path: "resource"), cookies: [session])
                #expect(answer.headers.contains(name: challengeField))
                #expect(other.statistics.logins == 0)
            }
        }
    }
}
