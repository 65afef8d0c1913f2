import ArgumentParser
import Countersign
import CountersignBrowser
import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The errors of presenters, in words for the user of a terminal.
@Suite(.computes) struct ClientPresenterTests {
    private static let errors: [any Error] = [
        LoopbackError.fixedFinish(authenticationMethod: "SAML"), LoopbackError.redirectElsewhere(authenticationMethod: "SAML"),
        LoopbackError.cannotListen(addresses: ["127.0.0.1:8080"]), TerminalError.fixedFinish(authenticationMethod: "SAML"),
        TerminalError.noTerminal, AutomaticPresenterError.noChromium,
        AutomaticPresenterError.noneFits(authenticationMethod: "SAML", missing: ["there is no display"]),
        SystemBrowserError.notFound(tried: ["xdg-open"]), SystemBrowserError.failed(programs: ["xdg-open"]),
        ChromiumError.notFound(tried: ["chromium"]), ChromiumError.noDisplay,
    ]

    @Test(arguments: errors.indices)
    func `an error names options that exist, and no type`(index: Int) throws {
        for hasOptions in [true, false] {
            let problem = try #require(PresenterProblem(Self.errors[index], hasOptions: hasOptions))
            let text = "\(problem.description) \(problem.remedy)"
            #expect(!text.contains("Presenter") && !text.contains("Configuration"), "\(text)")
            for found in text.matches(of: /'[^']*--presenter ([a-z-]+)'/) {
                #expect(PresenterChoice(rawValue: String(found.1)) != nil, "\(text)")
            }
            // A command without the option names one that has it.
            #expect(hasOptions || !text.replacing("'countersign login' with '--", with: "").contains("'--"), "\(text)")
        }
    }

    @Test func `an error that is for users already stays as it is`() {
        #expect(PresenterProblem(LoopbackError.listenerClosed, hasOptions: true) == nil)
        #expect(PresenterProblem(CancellationError(), hasOptions: true) == nil)
    }

    /// A presenter that cannot show a page.
    private struct Broken: WebPresenter {
        let failure: PresentationFailure

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult { throw failure }
    }

    /// A transport that no page uses.
    private struct NoTransport: HTTPTransport {
        func send(_ request: SessionRequest) async throws -> SessionResponse { throw CancellationError() }
        func shutdown() async throws {}
    }

    @Test func `only the error of a page that cannot be shown is translated`() async throws {
        let url = try #require(URL(string: "https://login.example/saml"))
        func show(_ failure: PresentationFailure) async throws {
            let presentation = WebPresentation(
                authenticationMethod: "SAML", url: url, finish: FinishRule(url, match: .path), jar: CookieJar(),
                transport: NoTransport())
            _ = try await ClientPresenter(Broken(failure: failure)).present(presentation)
        }
        await #expect(throws: PresenterProblem.self) {
            try await show(.load(LoopbackError.fixedFinish(authenticationMethod: "SAML")))
        }
        await #expect(throws: PresentationFailure.self) { try await show(.dismissed) }
    }

    @Test func `the problem is what the command ends with`() throws {
        let problem = try #require(PresenterProblem(TerminalError.fixedFinish(authenticationMethod: "SAML"), hasOptions: true))
        let report = ClientFailure(problem).report
        #expect(report.message == "SAML ends in cookies of the browser, which cannot be pasted into a terminal.")
        #expect(report.help == "Use '--presenter chromium'." && report.exit == CommandExit.refused.rawValue)
    }

    @Test func `a dismissed login has the remedy of a command`() {
        let report = ClientFailure(CountersignError(.cancelled, detail: "the user has closed it")).report
        #expect(report.help == "Run the command again to sign in." && report.exit == CommandExit.refused.rawValue)
    }
}
