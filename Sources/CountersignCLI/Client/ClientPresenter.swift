import Countersign
import CountersignBrowser
import Foundation

/// A presenter whose errors name options of the command in place of types.
struct ClientPresenter: WebPresenter, UserCodePresenter {
    private let presenter: any WebPresenter
    /// Whether the command has the options `--presenter` and `--redirect-port`.
    private let hasOptions: Bool

    init(_ presenter: any WebPresenter, hasOptions: Bool = true) {
        self.presenter = presenter
        self.hasOptions = hasOptions
    }

    var isEmbeddedWebView: Bool { presenter.isEmbeddedWebView }
    var choosesRedirectURL: Bool { presenter.choosesRedirectURL }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        try await translating { try await presenter.present(presentation) }
    }

    func present(_ presentation: UserCodePresentation) async throws {
        guard let presenter = presenter as? any UserCodePresenter else {
            throw PresenterProblem.withoutTerminal(hasOptions: hasOptions)
        }
        try await translating { try await presenter.present(presentation) }
    }

    private func translating<Value>(_ present: () async throws -> Value) async throws -> Value {
        do {
            return try await present()
        } catch let failure as PresentationFailure {
            if case .load(let error) = failure, let problem = PresenterProblem(error, hasOptions: hasOptions) { throw problem }
            throw failure
        }
    }
}

/// The reason why a login cannot be shown, for a user of the command.
struct PresenterProblem: AuthenticationError {
    /// Unknown to the type. The description names the method if it matters.
    static var authenticationMethod: String { "" }

    let code = "presenter"
    let description: String
    let remedy: String
    var errorDescription: String? { description }
    var recoverySuggestion: String? { remedy }

    private init(_ description: String, _ remedy: String) {
        self.description = description
        self.remedy = remedy
    }

    /// - Returns: `nil` for an error whose own text is for users, too.
    init?(_ error: any Error, hasOptions: Bool) {
        let chromium = Self.option("--presenter chromium", hasOptions)
        let terminal = Self.option("--presenter terminal", hasOptions)
        switch error {
        case LoopbackError.fixedFinish(let method):
            self.init(
                "\(method) ends at an address of the server, which only a browser of this command can see.", "Use \(chromium).")
        case TerminalError.fixedFinish(let method):
            self.init(
                "\(method) ends in cookies of the browser, which cannot be pasted into a terminal.", "Use \(chromium).")
        case LoopbackError.redirectElsewhere(let method):
            self.init(
                "\(method) does not come back to this machine.",
                """
                Register a redirect URL such as http://127.0.0.1/callback with the server, and give it as the value of the method; or \
                use \(chromium).
                """)
        case LoopbackError.cannotListen(let addresses):
            self.init(
                "This machine cannot listen on \(addresses.joined(separator: " or ")): the port is in use or denied.",
                hasOptions
                    ? "Give another port with '--redirect-port', or leave the option out for a free one." : "Run the command again."
            )
        case TerminalError.noTerminal: self = .withoutTerminal(hasOptions: hasOptions)
        case AutomaticPresenterError.noneFits(let method, let missing):
            self.init(
                "The login of \(method) cannot be shown: \(missing.joined(separator: ", ")).",
                """
                Run the command where there is a display and a browser, or in a terminal if the login ends at a redirect URL or on \
                another device; or use a method that needs no user, such as client credentials.
                """)
        case AutomaticPresenterError.noChromium, ChromiumError.notFound(_):
            self.init("There is no Chromium, Chrome or Edge.", "Install one, or use \(terminal).")
        case ChromiumError.noDisplay:
            self.init(
                "There is no display for a browser window: neither DISPLAY nor WAYLAND_DISPLAY is set.",
                "Run the command in a desktop session, or use \(terminal).")
        case SystemBrowserError.notFound(let names):
            self.init(
                "There is no browser: \(names.joined(separator: ", ")) not found.",
                "Install one, name its program in the environment variable BROWSER, or use \(terminal).")
        case SystemBrowserError.failed(let programs):
            self.init(
                "The browser could not be opened: \(programs.joined(separator: ", ")) failed.",
                "Check that there is a display, and that a browser is set up; or use \(terminal).")
        default: return nil
        }
    }

    static func withoutTerminal(hasOptions: Bool) -> PresenterProblem {
        PresenterProblem(
            "There is no terminal to show the address of the login, and to read the response.",
            """
            Run the command in the foreground of a terminal (ssh needs '-t')\
            \(hasOptions ? ", or give another '--presenter': system-browser or chromium" : "").
            """)
    }

    /// Returns an option, with the command that has it if it is another one.
    private static func option(_ text: String, _ isOwn: Bool) -> String {
        isOwn ? "'\(text)'" : "'countersign login' with '\(text)'"
    }
}
