import Foundation
import Testing

@testable import Countersign

/// Pages with parameters that must not be in their URL.
@Suite struct `Forms of pages` {
    private static let secret = "c4n4ry"

    private static let page = LoginPage(
        "https://login.example/logout?tenant=1",
        query: [
            HTTPCall.Member("redirect", ProgramTemplate(.slot(0))), HTTPCall.Member("state", ProgramTemplate(.slot(1))),
        ],
        form: [HTTPCall.Member("hint", ProgramTemplate(.slot(2)))], redirect: 0,
        verify: [HTTPCall.Member("state", ProgramTemplate(.slot(1)))],
        answers: [HTTPCall.Answer(ChallengePattern("answer", query: [ChallengePattern.Named("state", .present)]))],
        explanations: [403: "the client is unknown"])

    private static let program = MethodProgram(
        name: "Page", summary: "A page.", slots: [.parameter("redirect"), .parameter("state"), .step("hint", isSecret: true)],
        challenges: [], credential: CredentialShape(destinations: []), acquire: [.present(page)])

    /// Shows the page, and returns what the presenter received.
    private func presentation(hint: String?) async throws -> WebPresentation {
        let end = try #require(URL(string: "http://127.0.0.1/goodbye?state=s"))
        let presenter = ScriptedPresenter { WebPresentationResult(finishURL: end, cookies: $0.cookies) }
        try await show(by: presenter, hint: hint)
        return try #require(presenter.presentations.first)
    }

    private func show(by presenter: ScriptedPresenter, hint: String?) async throws {
        let redirect = try #require(URL(string: "http://127.0.0.1/goodbye"))
        let session = Session(configuration: .test(presenter: presenter), transport: ScriptedTransport { _ in Reply(500) })
        let values: [ProgramValue] = [.url(redirect), .text("s"), hint.map(ProgramValue.text) ?? .absent]
        let method = PreparedProgram(Self.program, values: values) { _, _, cause in LoginError.page(cause) }
        let run = PageRun(
            page: Self.page, method: method, session: session, values: values, cookies: nil, initialCookies: session.cookies,
            report: { _ in })
        _ = try await run.outcome()
    }

    @Test(arguments: [(nil, "GET"), ("alice", "POST")] as [(String?, String)])
    func `the error of a refused page has the method of its request`(hint: String?, method: String) async throws {
        struct Answered: PageFailure {
            let status: Int? = 403
            let origin: Origin? = nil
        }
        let presenter = ScriptedPresenter { _ in throw PresentationFailure.load(Answered()) }
        let error = await #expect(throws: CountersignError.self) { try await show(by: presenter, hint: hint) }
        #expect(error?.code == .pageRefused && error?.requestMethod == method)
    }

    @Test func `a secret is in the form with the query, and not in the URL`() async throws {
        let presentation = try await presentation(hint: Self.secret)
        let form = try #require(presentation.form)
        #expect(form.url.absoluteString == "https://login.example/logout?tenant=1")
        #expect(form.fields.map(\.name) == ["redirect", "state", "hint"])
        #expect(form.body == "redirect=http%3A%2F%2F127.0.0.1%2Fgoodbye&state=s&hint=c4n4ry")
        #expect(
            presentation.url.absoluteString
                == "https://login.example/logout?tenant=1&redirect=http%3A%2F%2F127.0.0.1%2Fgoodbye&state=s")
    }

    @Test func `without a value that only a form has, the page is opened by its URL`() async throws {
        let presentation = try await presentation(hint: nil)
        #expect(presentation.form == nil)
        #expect(presentation.url.query()?.contains("state=s") == true)
    }

    @Test func `a presenter that chooses the redirect URL gets a form with it`() async throws {
        let presentation = try await presentation(hint: Self.secret)
        let own = try #require(URL(string: "http://127.0.0.1:50123/goodbye"))
        #expect(presentation.redirect?.form(own)?.fields.first?.value == own.absoluteString)
        let moved = try #require(try await presentation.redirected(to: own))
        #expect(moved.form?.fields.map(\.value) == [own.absoluteString, "s", Self.secret])
    }

    @Test func `RT-30 a form shows no value`() async throws {
        let form = try #require(try await presentation(hint: Self.secret).form)
        for value in [form, form.fields] as [Any] {
            var text = "\(value) \(String(reflecting: value))"
            dump(value, to: &text)
            #expect(!text.contains(Self.secret), "\(text)")
            #expect(text.contains("redacted"))
        }
    }
}
