internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One login at a terminal: what the user reads, and the two ways by which the answer comes.
struct TerminalLogin: Sendable {
    /// The redirect URL that the page names to the server.
    let redirectURL: URL
    private let method: String
    private let page: URL
    private let rule: PasteRule
    private let terminal: Terminal
    /// Where a browser of this machine brings the answer; `nil` if the redirect URL leads elsewhere, or the port is not to be had.
    private let listener: LoopbackListener?

    /// Begins a login, and listens for its answer if it can come back to this machine.
    init(_ presentation: WebPresentation, redirect: WebRedirect, port: UInt16?, terminal: Terminal) async throws {
        method = presentation.authenticationMethod
        self.terminal = terminal
        let place = try? LoopbackPlace(redirect.url, port: port, authenticationMethod: method)
        if let place {
            listener = try? await LoopbackListener.open(at: place, state: redirect.state, limits: ConnectionLimits())
        } else {
            listener = nil
        }
        // The answer can be pasted, too, if another program has the port.
        redirectURL = listener?.redirectURL ?? place?.fixedURL ?? redirect.url
        do {
            page = try await redirect.page(redirectURL)
        } catch {
            await listener?.close()
            throw error
        }
        rule = PasteRule(redirect, to: redirectURL, from: page)
    }

    /// Says what to do.
    func explain(until deadline: Deadline, after timeout: Duration) {
        terminal.write("\n")
        terminal.write(paragraph: "Login for \(method), in a browser on this or any other device.")
        terminal.write("\n")
        terminal.writeCode(of: page.absoluteString)
        terminal.write("Open this address:\n\n\(page.absoluteString)\n\n")
        explainWayBack()
        terminal.write("\n")
        terminal.write(paragraph: "Waiting for the answer until \(deadline.time) (\(timeout.words)). Ctrl-C ends the login.")
    }

    /// Says how the answer comes back.
    private func explainWayBack() {
        let paste = "copy the address from the address bar, paste it here and press Return. What is pasted is not shown."
        guard let listener else {
            terminal.write(
                paragraph: """
                    After the login the browser is sent to an address that begins with \(shownRedirect). If it cannot open that, nothing \
                    is lost: \(paste)
                    """)
            return
        }
        let authority = listener.redirectURL.absoluteString.split(separator: "/").dropFirst().first.map(String.init) ?? ""
        guard let forwarding = PortForwarding(to: authority, in: terminal.environment) else {
            terminal.write(
                paragraph: """
                    After the login a browser on this machine comes back by itself. One on another device says that it cannot load the \
                    page: \(paste)
                    """)
            return
        }
        terminal.write(
            paragraph: """
                After the login the browser is sent to \(shownRedirect). It comes back by itself if the port is forwarded, by this \
                command on the machine with the browser:
                """)
        terminal.write("\n    \(forwarding.command)\n\n")
        terminal.write(paragraph: "Otherwise it says that it cannot load the page: \(paste)")
    }

    /// The redirect URL as it may be shown again and again: without a query.
    private var shownRedirect: String { String(redirectURL.absoluteString.prefix { $0 != "?" && $0 != "#" }) }

    // MARK: The answer

    /// An answer, and what the user reads about how it came.
    struct Answer: Sendable {
        let url: URL
        let note: String
    }

    /// Waits for a browser that comes back; `nil` if none can.
    func arrivingAnswer() async throws -> Answer? {
        do {
            return try await listener?.answer().asAnswer("The browser has brought the answer.")
        } catch is LoopbackError {
            return nil
        }
    }

    /// Asks until the answer to this login is pasted.
    func pastedAnswer(until deadline: Deadline) async throws -> Answer {
        while true {
            // Whatever comes next stands in a line of its own.
            let line: String?
            do {
                defer { terminal.write("\n") }
                line = try await terminal.read { terminal.write("Address: ") }
            }
            guard let line else { throw PresentationFailure.dismissed }
            let verdict = rule.verdict(on: line)
            if case .answer(let url) = verdict { return url.asAnswer("This is the answer; the login goes on.") }
            if let explanation = explanation(of: verdict) {
                terminal.write(paragraph: "\(explanation) Waiting for the answer until \(deadline.time).")
            }
        }
    }

    /// Says how the answer came.
    func note(_ answer: Answer) { terminal.write(paragraph: answer.note) }

    private func explanation(of verdict: PasteRule.Verdict) -> String? {
        switch verdict {
        case .answer, .empty: nil
        case .tooLong: "This is longer than any answer. Copy the browser's address bar alone."
        case .notAnAddress:
            "This is no whole address. Copy all of the browser's address bar; it begins with \(shownRedirect)."
        case .loginPage:
            """
            This is the address of the login page. Log in there first; then paste the address that the browser is sent to, which \
            begins with \(shownRedirect).
            """
        case .elsewhere(let place):
            "This is an address of \(place). The answer's address begins with \(shownRedirect)."
        case .noAnswer:
            "There is no answer in this address. Copy all of the browser's address bar, with what follows the question mark."
        case .otherLogin:
            """
            This is the answer to another login, such as an earlier one or one in another window. It was not used. Log in at the \
            address above, and paste the address that this login ends at.
            """
        }
    }

    /// Ends the wait for browsers, and returns when none can connect any more.
    func close() async { await listener?.close() }
}

extension LoopbackPlace {
    /// The redirect URL, if its port is given.
    fileprivate var fixedURL: URL? {
        guard let port, let address = addresses.first else { return nil }
        return URL(string: "http://\(address.authority(port: Int(port)))\(rest)")
    }
}

extension TerminalLogin: RedactedDescription {}
extension TerminalLogin.Answer: RedactedDescription {}

extension URL {
    fileprivate func asAnswer(_ note: String) -> TerminalLogin.Answer { TerminalLogin.Answer(url: self, note: note) }
}
