import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

@Suite("Where a login without a browser ends", .takesTurns)
struct FormFillingErrorTests {
    private let alice = FormFillingPresenter(user: "alice", password: "wonderland")
    private let loginForm = "<form method=post action=/login><input name=u><input name=p type=password></form>"

    private func reason(_ page: ScriptedWeb.Page, at url: String = "https://app.example/") async throws -> FormFillingError.Reason {
        try await alice.failure(url, on: ScriptedWeb(["GET \(url)": page])).reason
    }

    @Test func `fields that nothing is known for are named`() async throws {
        let page =
            "<title>Second factor</title><form method=post><input name=u><input name=p type=password><input name=otp required></form>"
        let web = ScriptedWeb(["GET https://app.example/a;jsessionid=1?token=2": .html(page)])
        let error = try await alice.failure("https://app.example/a;jsessionid=1?token=2", on: web)
        #expect(error == FormFillingError(.missingValues(["otp"]), page: "https://app.example/a", title: "Second factor"))
        #expect("\(error)" == "https://app.example/a (“Second factor”): no value is known for otp")
    }

    @Test func `a user's name is not typed into the next page's field`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html(loginForm),
            "POST https://app.example/login": .html("<form method=post action=/otp><input name=code></form>"),
        ])
        #expect(try await alice.failure("https://app.example/", on: web).reason == .missingValues(["code"]))
        #expect(web.visits.count == 2)
    }

    @Test(arguments: [200, 401, 403]) func `a login form that comes again is a refused login, whatever its status`(status: Int)
        async throws
    {
        let web = ScriptedWeb { [loginForm] visit in .html(loginForm, status: visit.method == .post ? status : 200) }
        #expect(try await alice.failure("https://app.example/", on: web).reason == .loginRefused)
        #expect(web.visits.count == 2)
    }

    @Test func `being asked for the password alone again is a refused login`() async throws {
        let web = ScriptedWeb { [loginForm] visit in
            .html(visit.method == .post ? "<form method=post action=/login><input name=p type=password></form>" : loginForm)
        }
        #expect(try await alice.failure("https://app.example/", on: web).reason == .loginRefused)
    }

    @Test func `being asked for a new password is not a refused login`() async throws {
        let web = ScriptedWeb { [loginForm] visit in
            .html(visit.method == .post ? "<form method=post action=/login><input name=new type=password></form>" : loginForm)
        }
        #expect(try await alice.failure("https://app.example/", on: web).reason == .missingValues(["new"]))
    }

    @Test func `pages without a way on say what they lack`() async throws {
        #expect(try await reason(.html("<script>go()</script>")) == .needsScript)
        #expect(try await reason(.html("<p>Hello")) == .noForm)
        #expect(try await reason(.html("<form></form><form></form>")) == .severalForms)
        #expect(try await reason(.html("<form><input type=search name=q></form>")) == .missingValues(["q"]))
        #expect(try await reason(.html("<form><input type=checkbox name=agree></form>")) == .missingValues(["agree"]))
        #expect(try await reason(.html("<form><input></form>")) == .missingValues([""]))
    }

    @Test func `error pages are not answered, unless they ask for a login`() async throws {
        #expect(try await reason(.html("<form method=post action=/report><input name=email></form>", status: 500)) == .status(500))
        let web = ScriptedWeb([
            "GET https://app.example/": .html(loginForm, status: 401), "POST https://app.example/login": .redirect(to: "/done"),
        ])
        _ = try await alice.present("https://app.example/", on: web)
        #expect(web.visits.count == 2)
    }

    @Test(arguments: [
        ("ftp://app.example/x", FormFillingError.AddressProblem.scheme("ftp")), ("javascript:alert(1)", .scheme("javascript")),
        ("http://app.example/", .unencrypted), ("https://a:b@app.example/", .unusable), ("other://done", .scheme("other")),
    ])
    func `redirects, refreshes and forms out of the encrypted web are not followed`(
        target: String, problem: FormFillingError.AddressProblem
    ) async throws {
        #expect(try await reason(.redirect(to: target)) == .addressRefused(problem))
        #expect(try await reason(.html("<meta http-equiv=refresh content='0;url=\(target)'>")) == .addressRefused(problem))
        #expect(try await reason(.html("<form method=post action='\(target)'></form>")) == .addressRefused(problem))
    }

    @Test(arguments: ["file:///etc/passwd", "https://a:b@app.example/"])
    func `a start page must be on the web`(start: String) async throws {
        let web = ScriptedWeb([:])
        guard case .addressRefused = try await alice.failure(start, on: web).reason else {
            throw FormFillingPresenter.NothingFailed()
        }
        #expect(web.visits.isEmpty)
    }

    @Test func `a redirect with two targets is not followed`() async throws {
        let page = ScriptedWeb.Page(status: 302, fields: [("Location", "/a"), ("Location", "/b")])
        #expect(try await reason(page) == .addressRefused(.unusable))
    }

    @Test func `values do not leave unencrypted, unless they stay on this machine`() async throws {
        #expect(try await reason(.html(loginForm), at: "http://app.example/") == .insecureForm)
        let web = ScriptedWeb([
            "GET http://localhost:8080/": .html(loginForm),
            "POST http://localhost:8080/login": .redirect(to: "https://app.example/done"),
        ])
        _ = try await alice.present("http://localhost:8080/", on: web)
        #expect(web.visits.count == 2)
    }

    @Test(arguments: [307, 308]) func `values do not follow a redirect to another origin`(status: Int) async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .html(loginForm),
            "POST https://app.example/login": .redirect(status, to: "https://evil.example/"),
        ])
        #expect(try await alice.failure("https://app.example/", on: web).reason == .insecureForm)
        #expect(web.visits.count == 2)
    }

    @Test func `a form of another origin gets no value until its origin is named`() async throws {
        let web = ScriptedWeb([
            "GET https://app.example/": .redirect(to: "https://idp.example/login"),
            "GET https://idp.example/login": .html(loginForm),
            "POST https://idp.example/login": .redirect(to: "https://app.example/done"),
        ])
        let other = try #require(URL(string: "https://idp.example:8443"))
        for origins in [[], [other]] {
            let presenter = FormFillingPresenter(user: "alice", password: "wonderland", origins: origins)
            let error = try await presenter.failure("https://app.example/", on: web)
            let origin = try #require(URL(string: "https://idp.example").flatMap { Origin($0) })
            #expect(error.reason == .unnamedOrigin(origin))
            #expect("\(error)".contains("a form at https://idp.example; add it to the presenter's 'origins'"))
            #expect(error.explanation?.contains("https://idp.example") == true)
            #expect(!web.visits.contains { $0.method == .post })
        }
        let named = try #require(URL(string: "https://idp.example/any?path"))
        _ = try await FormFillingPresenter(user: "alice", password: "wonderland", origins: [named]).present(
            "https://app.example/", on: web)
        #expect(web.visits.last?.body == "u=alice&p=wonderland")
        let fields = try await FormFillingPresenter(values: ["u": "alice"]).failure("https://app.example/", on: web)
        guard case .unnamedOrigin = fields.reason else { throw FormFillingPresenter.NothingFailed() }
    }

    @Test func `a page's form may not send values to another origin either, and may send what the page has itself`() async throws {
        let away = loginForm.replacingOccurrences(of: "action=/login", with: "action=https://idp.example/login")
        let web = ScriptedWeb(["GET https://app.example/": .html(away)])
        let origin = try #require(URL(string: "https://idp.example").flatMap { Origin($0) })
        #expect(try await alice.failure("https://app.example/", on: web).reason == .unnamedOrigin(origin))
        #expect(web.visits.count == 1)
        let hidden = "<form method=post action=https://idp.example/login><input type=hidden name=SAMLRequest value=x></form>"
        let saml = ScriptedWeb([
            "GET https://app.example/": .html(hidden), "POST https://idp.example/login": .redirect(to: "https://app.example/done"),
        ])
        _ = try await alice.present("https://app.example/", on: saml)
        #expect(saml.visits.count == 2)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://localhost:9090", true), ("https://app.example", "https://localhost:9090", false),
    ])
    func `a flow that begins on this machine may go on at its other origins`(first: String, second: String, isFilled: Bool)
        async throws
    {
        let web = ScriptedWeb([
            "GET \(first)/": .html("<form method=post action='\(second)/'><input type=hidden name=n></form>"),
            "POST \(second)/": .html(loginForm), "POST \(second)/login": .redirect(to: "\(first)/done"),
        ])
        if isFilled {
            _ = try await alice.present("\(first)/", to: "\(first)/done", on: web)
            #expect(web.visits.last?.body == "u=alice&p=wonderland")
        } else {
            guard case .unnamedOrigin = try await alice.failure("\(first)/", to: "\(first)/done", on: web).reason else {
                throw FormFillingPresenter.NothingFailed()
            }
            #expect(!web.visits.contains { $0.body.contains("wonderland") })
        }
    }

    @Test func `forms that are sent in other ways are named`() async throws {
        let mail = loginForm.replacingOccurrences(of: "<form", with: "<form enctype=text/plain")
        #expect(try await reason(.html(mail)) == .unsupportedForm("text/plain"))
        #expect(try await reason(.html("<form method=dialog></form>")) == .unsupportedForm("dialog"))
    }

    @Test func `a page in another encoding takes ascii only`() async throws {
        var page = ScriptedWeb.Page.html(loginForm)
        page.type = "text/html; charset=ISO-8859-2"
        let pages = ["GET https://app.example/": page, "POST https://app.example/login": .redirect(to: "/done")]
        _ = try await alice.present("https://app.example/", on: ScriptedWeb(pages))
        let error = try await FormFillingPresenter(user: "jürgen", password: "x").failure(
            "https://app.example/", on: ScriptedWeb(pages))
        #expect(error.reason == .unsupportedForm("iso-8859-2 text"))
    }

    @Test func `what is not HTML is named by its type`() async throws {
        var page = ScriptedWeb.Page.html("{}")
        page.type = "Application/JSON; charset=utf-8"
        #expect(try await reason(page) == .notHTML(contentType: "application/json"))
        page.type = nil
        #expect(try await reason(page) == .notHTML(contentType: nil))
    }

    @Test func `pages and flows are bounded`() async throws {
        var presenter = alice
        presenter.maximumPageSize = 100
        presenter.maximumPages = 5
        let large = ScriptedWeb { _ in .html(String(repeating: "x", count: 101)) }
        #expect(try await presenter.failure("https://app.example/", on: large).reason == .pageTooLarge(limit: 100))
        let loop = ScriptedWeb { _ in .redirect(to: "/again") }
        #expect(try await presenter.failure("https://app.example/", on: loop).reason == .tooManyPages(limit: 5))
        #expect(loop.visits.count == 5)
        let forms = ScriptedWeb { _ in .html("<form><input type=hidden name=x></form>") }
        #expect(try await presenter.failure("https://app.example/", on: forms).reason == .tooManyPages(limit: 5))
    }

    @Test func `no part of a value is in a title that is cut off`() async throws {
        let (beginning, form) = (String(repeating: "x", count: 115), loginForm)
        let web = ScriptedWeb { visit in
            visit.method == .post ? .html("<title>\(beginning)wonderland</title>\(form)") : .html(form)
        }
        let error = try await alice.failure("https://app.example/", on: web)
        #expect(error.reason == .loginRefused && error.title == nil)
        let harmless = ScriptedWeb(["GET https://app.example/": .html("<title>\(beginning)in wonder</title>")])
        #expect(try await alice.failure("https://app.example/", on: harmless).title == beginning + "in wo")
    }

    @Test func `no error and no description holds a value`() async throws {
        let canary = "c4nary-password"
        let presenter = FormFillingPresenter(user: "c4nary-user", password: canary, values: ["pin": "c4nary-pin"])
        let web = ScriptedWeb { visit in
            guard visit.method == .post else {
                return .html(
                    "<form method=post action='/login?x=c4nary-user'><input name=u><input name=p type=password><input name=pin></form>"
                )
            }
            return .html(
                "<title>\(canary) is wrong</title><form method=post action='/login?x=c4nary-pin'><input name=u><input name=p type=password><input name=pin></form>"
            )
        }
        let error = try await presenter.failure("https://app.example/?c4nary", on: web)
        #expect(error.reason == .loginRefused)
        var shown =
            "\(error) \(presenter) \(PresentationFailure.load(error))" + String(reflecting: presenter) + String(reflecting: error)
        dump(presenter, to: &shown)
        dump(error, to: &shown)
        #expect(shown.contains("pin"))
        #expect(!shown.contains("c4nary"))
    }
}
