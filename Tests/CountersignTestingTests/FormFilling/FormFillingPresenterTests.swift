import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

/// The pages have the structure of real servers' pages (SimpleSAMLphp behind mod_auth_mellon), with texts of their own.
@Suite("Going through a login without a browser", .takesTurns)
struct FormFillingPresenterTests {
    private static let identityProvider = [URL(string: "https://idp.example")].compactMap(\.self)
    private let alice = FormFillingPresenter(user: "alice", password: "wonder land+ä", origins: identityProvider)

    private static func loginPage(_ note: String = "") -> ScriptedWeb.Page {
        .html(
            """
            <!DOCTYPE html><html><head><meta charset="UTF-8"/><script src="/focus.js"></script><title>Who are you?</title></head>
            <body onload="focus('user');"><!-- <form action="/trap"> --><p>\(note)</p>
            <form action="?" method="post" name="f"><table><tr><td><label for="user">Name</label></td>
            <td><input id="user"   type="text" name="username" autocomplete="username" value="" /></td></tr>
            <tr><td><input type='password' name=password tabindex=2></td></tr></table>
            <button class="btn" type="submit">Go on</button>
            <input type="hidden" id="wait" value="Wait" />
            <input type="hidden" name="State" value="_1:https://idp.example/sso?x=https%3A%2F%2Fapp&amp;t=1" /></form></body></html>
            """)
    }

    private static let assertionPage = ScriptedWeb.Page.html(
        """
        <html><body onload="document.forms[0].submit()"><noscript><p>Press the button.</p></noscript>
        <form method="post" action="https://app.example/acs?x=1&amp;y=2"><input type="submit" style="display: none;" /><input type="hidden" name="SAMLResponse" value="PD94+/bWw=&#10;Zz09" />
        <input type="hidden" name="RelayState" value="https://app.example/start?a=b&amp;c=d" />
        <noscript><input type="submit" value="Submit" /></noscript></form></body></html>
        """, setting: "IDP=2; Secure")

    private static func samlWeb() -> ScriptedWeb {
        ScriptedWeb { visit in
            switch visit.line {
            case "GET https://app.example/start":
                return .redirect(303, to: "/login?return=%2Fstart", setting: "TEST=1; Secure; Path=/")
            case "GET https://app.example/login?return=%2Fstart":
                return .redirect(303, to: "https://idp.example/sso?SAMLRequest=fZ%2B%2F&RelayState=r")
            case "GET https://idp.example/sso?SAMLRequest=fZ%2B%2F&RelayState=r":
                return .redirect(302, to: "https://idp.example/module/login?AuthState=_1", setting: "IDP=1; Secure; Path=/")
            case "GET https://idp.example/module/login?AuthState=_1": return loginPage()
            case "POST https://idp.example/module/login?":
                let right =
                    "username=alice&password=wonder+land%2B%C3%A4&State=_1%3Ahttps%3A%2F%2Fidp.example%2Fsso%3Fx%3Dhttps%253A%252F%252Fapp%26t%3D1"
                return visit.body == right ? assertionPage : loginPage("That was wrong.")
            case "POST https://app.example/acs?x=1&y=2":
                return .redirect(
                    303, to: "https://app.example/done?from=acs", setting: "SID=session; Secure; HttpOnly; Path=/",
                    "TEST=; Max-Age=0; Path=/")
            default: return .html("?", status: 404)
            }
        }
    }

    @Test func `a page with a form is requested with it`() async throws {
        let web = ScriptedWeb { _ in .redirect(303, to: "http://127.0.0.1/goodbye?state=s") }
        let server = try #require(URL(string: "https://login.example/logout"))
        let redirect = WebRedirect(
            to: try #require(URL(string: "http://127.0.0.1/goodbye")), state: "s",
            form: { _ in PageForm(url: server, fields: [.init(name: "hint", value: "a b")]) }, page: { _ in server })
        let presentation = try await WebPresentation(
            authenticationMethod: "Test", redirect: redirect, jar: CookieJar(), transport: web)
        #expect(try await alice.present(presentation).finishURL.query() == "state=s")
        #expect(web.lines == ["POST https://login.example/logout"] && web.visits.first?.body == "hint=a+b")
        #expect(web.visits.first?.fields[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func `a SAML login goes from the application to its identity provider and back`() async throws {
        let web = Self.samlWeb()
        let kept = Cookie(name: "KEPT", value: "1", domain: "app.example", isHostOnly: true)
        let result = try await alice.present("https://app.example/start", cookies: [kept], on: web)

        #expect(result.finishURL.absoluteString == "https://app.example/done?from=acs")
        // The URL that ends the flow is not loaded.
        #expect(web.visits.count == 6)
        #expect(
            web.visits.last?.body
                == "SAMLResponse=PD94%2B%2FbWw%3D%0D%0AZz09&RelayState=https%3A%2F%2Fapp.example%2Fstart%3Fa%3Db%26c%3Dd")
        #expect(web.visits.map { $0.fields[.cookie] } == ["KEPT=1", "KEPT=1; TEST=1", nil, "IDP=1", "IDP=1", "KEPT=1; TEST=1"])
        #expect(web.visits[4].fields[.contentType] == "application/x-www-form-urlencoded")
        #expect(web.visits[4].fields[.origin] == "https://idp.example")
        // Only the origin is sent. The page's path and query are not.
        #expect(web.visits[4].fields[.referer] == "https://idp.example/")
        #expect(result.cookies.cookies.map(\.name) == ["KEPT", "IDP", "IDP", "SID"])
        #expect(result.cookies.cookies.first { $0.name == "SID" }?.isHTTPOnly == true)
    }

    @Test func `a wrong password is reported as a refused login after one try`() async throws {
        let web = Self.samlWeb()
        let error = try await FormFillingPresenter(user: "alice", password: "wrong", origins: Self.identityProvider).failure(
            "https://app.example/start", on: web)
        #expect(error.reason == .loginRefused)
        #expect(error.page == "https://idp.example/module/login")
        #expect(error.title == "Who are you?")
        #expect(web.visits.count { $0.method == .post } == 1)
    }

    @Test func `user and password may be asked for on two pages`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html("<form method=post action=/login><input name=email type=email></form>"),
            "POST https://app.example/login": .html("<form method=post action=/login><input name=pass type=password></form>"),
        ])
        // The second response is the same page again, so the login ends as refused. Only the requests are of interest.
        let error = try await alice.failure("https://app.example/", on: web)
        #expect(error.reason == .loginRefused)
        #expect(web.visits.map(\.body) == ["", "email=alice", "pass=wonder+land%2B%C3%A4"])
    }

    @Test func `a form of parts is sent in parts`() async throws {
        let page = ScriptedWeb.Page.html(
            """
            <form method=post action=/login enctype="multipart/form-data"><input name=login><input type=password name=password>
            <input type=hidden name='a"b' value="--&#10;x"></form>
            """)
        let web = ScriptedWeb(["GET https://app.example/": page, "POST https://app.example/login": .redirect(to: "/done")])
        _ = try await alice.present("https://app.example/", on: web)
        _ = try await alice.present("https://app.example/", on: web)

        let type = "multipart/form-data; boundary="
        let boundaries = try web.visits.filter { $0.method == .post }.map { visit in
            let field = try #require(visit.fields[.contentType])
            #expect(field.hasPrefix(type))
            let boundary = String(field.dropFirst(type.count))
            let parts = [("login", "alice"), ("password", "wonder land+ä"), ("a%22b", "--\r\nx")].map { name, value in
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
            }
            #expect(visit.body == parts.joined() + "--\(boundary)--\r\n")
            return boundary
        }
        // A page cannot know the boundary.
        #expect(boundaries.count == 2 && Set(boundaries).count == 2)
    }

    @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func `a form is redirected as its status says`(status: Int, method: String) async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html("<form method=post action=/a><input type=hidden name=x value=1></form>"),
            "POST https://app.example/a": .redirect(status, to: "b"),
            "\(method) https://app.example/b": .redirect(to: "/done"),
        ])
        _ = try await FormFillingPresenter(values: [:]).present("https://app.example/", on: web)
        #expect(web.visits.last?.body == (method == "POST" ? "x=1" : ""))
    }

    @Test func `relative addresses are read against the page's base`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/a/b": .html(
                "<base href='/c/'><base href=/x/><form method=post action=d><input type=hidden name=n></form>"),
            "POST https://app.example/c/d": .html("<meta http-equiv=refresh content='0; url=../e'>"),
            "GET https://app.example/e": .html("<form action='?old=1#f'><input type=hidden name=n value='1 2'></form>"),
            "GET https://app.example/e?n=1+2": .redirect(to: "//app.example/done#top"),
        ])
        _ = try await FormFillingPresenter(values: [:]).present("https://app.example/a/b", on: web)
        #expect(web.visits.count == 4)
    }

    @Test func `a form without an action goes back to its page with its query, and a fragment never travels`() async throws {
        let web = ScriptedWeb { visit in
            visit.method == .post
                ? .redirect(to: "/done")
                : visit.url.path() == "/"
                    ? .redirect(to: "/login?id=1#top") : .html("<form method=post><input type=hidden name=n></form>")
        }
        _ = try await FormFillingPresenter(values: [:]).present("https://app.example/", on: web)
        #expect(
            web.lines == ["GET https://app.example/", "GET https://app.example/login?id=1", "POST https://app.example/login?id=1"])
    }

    @Test func `the page that asks without scripts is answered, not the script`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html(
                "<script>location='/js'</script><noscript><form method=post action=/plain><input type=hidden name=n></form></noscript>"
            ),
            "POST https://app.example/plain": .redirect(to: "/done"),
        ])
        _ = try await FormFillingPresenter(values: [:]).present("https://app.example/", on: web)
        #expect(web.lines.last == "POST https://app.example/plain")
    }

    @Test func `a button that a value names decides where its form goes`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html(
                "<form method=post action=/no><button name=consent value=no></button><button name=consent value=yes formaction=/yes></form>"
            ),
            "POST https://app.example/yes": .redirect(to: "/done"),
        ])
        _ = try await FormFillingPresenter(values: ["consent": "yes"]).present("https://app.example/", on: web)
        #expect(web.visits.last?.body == "consent=yes")
        #expect(
            try await FormFillingPresenter(values: [:]).failure("https://app.example/", on: web).reason
                == .missingValues(["consent"]))
    }

    @Test func `a form whose address cannot be read is no matter as long as another one is submitted`() async throws {
        let broken = "<form action='https://[broken'><input type=search name=q></form>"
        let web = ScriptedWeb([
            "GET https://app.example/": .html(broken + "<form method=post action=/login><input name=u></form>"),
            "POST https://app.example/login": .html(broken + "<form method=post action=/pass><input name=p type=password></form>"),
            "POST https://app.example/pass": .redirect(to: "/done"),
        ])
        _ = try await alice.present("https://app.example/", on: web)
        #expect(web.visits.count == 3)
    }

    @Test func `of several forms the one that values are known for is submitted`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html(
                """
                <form action=/search><input name=q></form><form method=post action=/news><input name=mail type=email></form>
                <form method=post action=/login><input name=u><input name=p type=password></form>
                """),
            "POST https://app.example/login": .redirect(to: "/done"),
        ])
        _ = try await alice.present("https://app.example/", on: web)
        #expect(web.lines.last == "POST https://app.example/login")
    }

    @Suite("Where a flow ends") struct Finish {
        private let nobody = FormFillingPresenter(values: [:])

        @Test func `a redirect to an app's own scheme ends the flow`() async throws {
            let web = ScriptedWeb(["GET https://app.example/": .redirect(to: "myapp://callback?code=1")])
            let result = try await nobody.present("https://app.example/", to: "myapp://callback", match: .path, on: web)
            #expect(result.finishURL.absoluteString == "myapp://callback?code=1")
            #expect(web.visits.count == 1)
        }

        @Test func `a refresh and a form without a body end it without loading the page`() async throws {
            for body in ["<meta http-equiv=refresh content='0;url=/done'>", "<form action=/done><input type=hidden name=n></form>"]
            {
                let web = ScriptedWeb(["GET https://app.example/": .html(body)])
                _ = try await nobody.present("https://app.example/", on: web)
                #expect(web.visits.count == 1)
            }
        }

        @Test func `a posted form is delivered, and then ends it, whatever the page is`() async throws {
            var done = ScriptedWeb.Page.html("{}", setting: "SID=1")
            done.type = "application/json"
            let web = ScriptedWeb([
                "GET https://app.example/": .html("<form method=post action=/done><input type=hidden name=n></form>"),
                "POST https://app.example/done": done,
            ])
            let result = try await nobody.present("https://app.example/", on: web)
            #expect(result.finishURL.absoluteString == "https://app.example/done")
            #expect(result.cookies.cookies.map(\.name) == ["SID"])
            #expect(web.visits.count == 2)
        }

        @Test func `a start page that is the end is loaded, and ends it only without an error`() async throws {
            let web = ScriptedWeb(["GET https://app.example/done": .html("signed in")])
            _ = try await nobody.present("https://app.example/done", on: web)
            #expect(web.visits.count == 1)
            let broken = ScriptedWeb(["GET https://app.example/done": .html("broken", status: 500)])
            #expect(try await nobody.failure("https://app.example/done", on: broken).reason == .status(500))
        }
    }

    @Suite("Cancelling") struct Cancelling {
        @Test func `a cancelled task ends the flow with a cancellation`() async throws {
            let web = ScriptedWeb { visit in
                // The reader is cancelled while the response is on its way.
                withUnsafeCurrentTask { $0?.cancel() }
                return .redirect(to: visit.url.absoluteString + "x")
            }
            let flow = Task { try await FormFillingPresenter(values: [:]).present("https://app.example/", on: web) }
            await #expect(throws: CancellationError.self) { try await flow.value }
            #expect(web.visits.count == 1)
        }

        @Test func `what the transport threw is passed on`() async throws {
            let web = ScriptedWeb { _ in throw TransportError(.tls, detail: "certificate", requestMayHaveBeenProcessed: false) }
            do {
                _ = try await FormFillingPresenter(values: [:]).present("https://app.example/", on: web)
                Issue.record("nothing was thrown")
            } catch PresentationFailure.load(let error) {
                #expect((error as? TransportError)?.reason == .tls)
            }
        }
    }
}
