internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One login on a terminal: the text for the user, and the two ways of receiving the response.
struct TerminalLogin: Sendable {
    /// The redirect URL in the request to the server.
    let redirectURL: URL
    private let method: String
    private let page: URL
    private let rule: PasteRule
    private let terminal: Terminal
    /// The listener for a browser on this machine; `nil` if the redirect URL is no loopback URL, or its port is not available.
    private let listener: LoopbackListener?

    /// Begins a login, and listens for the response if the redirect URL is a loopback URL.
    init(_ presentation: WebPresentation, redirect: WebRedirect, port: UInt16?, terminal: Terminal) async throws {
        method = presentation.authenticationMethod
        self.terminal = terminal
        let place = try? LoopbackPlace(redirect.url, port: port, authenticationMethod: method)
        if let place {
            listener = try? await LoopbackListener.open(at: place, state: redirect.state, limits: ConnectionLimits())
        } else {
            listener = nil
        }
        // If another program uses the port, the response can still be pasted.
        redirectURL = listener?.redirectURL ?? place?.fixedURL ?? redirect.url
        do {
            page = try await redirect.page(redirectURL)
        } catch {
            await listener?.close()
            throw error
        }
        rule = PasteRule(redirect, to: redirectURL, from: page)
    }

    /// Writes the instructions for the user.
    func explain(until deadline: Deadline, after timeout: Duration) {
        terminal.write("\n")
        terminal.write(paragraph: "Login for \(method), in a browser on this or any other device.")
        terminal.write("\n")
        terminal.writeCode(of: page.absoluteString)
        terminal.write("Open this address:\n\n\(page.absoluteString)\n\n")
        explainWayBack()
        terminal.write("\n")
        terminal.write(paragraph: "Waiting for the response until \(deadline.time) (\(timeout.words)). Ctrl-C ends the login.")
    }

    /// Writes how the response is returned.
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
                    After the login a browser on this machine returns automatically. A browser on another device reports that it \
                    cannot load the page: \(paste)
                    """)
            return
        }
        terminal.write(
            paragraph: """
                After the login the browser is sent to \(shownRedirect). It returns automatically if the port is forwarded, by \
                this command on the machine with the browser:
                """)
        terminal.write("\n    \(forwarding.command)\n\n")
        terminal.write(paragraph: "Otherwise it reports that it cannot load the page: \(paste)")
    }

    /// The redirect URL without its query, for repeated display.
    private var shownRedirect: String { String(redirectURL.absoluteString.prefix { $0 != "?" && $0 != "#" }) }

    // MARK: The answer

    /// A response, with a message to the user about its arrival.
    struct Answer: Sendable {
        let url: URL
        let note: String
    }

    /// Waits for the redirect of a browser; `nil` if there is no listener or it fails.
    func arrivingAnswer() async throws -> Answer? {
        do {
            return try await listener?.answer().asAnswer("The response arrived from the browser.")
        } catch is LoopbackError {
            return nil
        }
    }

    /// Asks until the user pastes the response to this login.
    func pastedAnswer(until deadline: Deadline) async throws -> Answer {
        while true {
            // The following output begins on a new line.
            let line: String?
            do {
                defer { terminal.write("\n") }
                line = try await terminal.read { terminal.write("Address: ") }
            }
            guard let line else { throw PresentationFailure.dismissed }
            let verdict = rule.verdict(on: line)
            if case .answer(let url) = verdict { return url.asAnswer("The response is accepted; the login continues.") }
            if let explanation = explanation(of: verdict) {
                terminal.write(paragraph: "\(explanation) Waiting for the response until \(deadline.time).")
            }
        }
    }

    /// Writes the message about the arrival of the response.
    func note(_ answer: Answer) { terminal.write(paragraph: answer.note) }

    private func explanation(of verdict: PasteRule.Verdict) -> String? {
        switch verdict {
        case .answer, .empty: nil
        case .tooLong: "This is too long for a response. Copy only the browser's address bar."
        case .notAnAddress:
            "This is not a complete address. Copy all of the browser's address bar; it begins with \(shownRedirect)."
        case .loginPage:
            """
            This is the address of the login page. Log in there first; then paste the address that the browser is sent to, which \
            begins with \(shownRedirect).
            """
        case .elsewhere(let place):
            "This is an address of \(place). The response's address begins with \(shownRedirect)."
        case .noAnswer:
            "There is no response in this address. Copy all of the browser's address bar, with what follows the question mark."
        case .otherLogin:
            """
            This is the response to another login, such as an earlier one or one in another window. It was not used. Log in at the \
            address above, and paste the address that this login ends at.
            """
        }
    }

    /// Closes the listener, and returns when no browser can connect any more.
    func close() async { await listener?.close() }
}

extension LoopbackPlace {
    /// The redirect URL with a fixed port; `nil` without a fixed port.
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
