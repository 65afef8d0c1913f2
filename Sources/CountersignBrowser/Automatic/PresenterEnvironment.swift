#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The means of showing a login on this machine.
struct PresenterEnvironment: Sendable, Hashable {
    /// The reason why a window can be opened, as a clause after "because"; `nil` if none can.
    var display: String?
    /// Whether the user has logged in from another machine by SSH.
    var isRemote: Bool
    /// Whether the process is a continuous integration job, which has no user.
    var isAutomated: Bool
    /// Whether there is an interactive terminal.
    var hasTerminal: Bool
    /// Whether the environment variable `BROWSER` names an existing program. Some such programs open a page on another machine.
    var hasNamedBrowser: Bool
    /// Whether there is a program that opens pages in a browser.
    var hasSystemBrowser: Bool
    /// Whether Chromium is installed.
    var hasChromium: Bool

    /// Creates a description of the environment.
    ///
    /// - Parameters:
    ///   - variables: The environment variables.
    ///   - isMac: Whether the system is macOS, where every user who is not logged in remotely has a display.
    ///   - hasTerminal: Whether there is an interactive terminal.
    ///   - hasNamedBrowser: Whether `BROWSER` names an existing program.
    ///   - hasSystemBrowser: Whether there is a program that opens pages in a browser.
    ///   - hasChromium: Whether Chromium is installed.
    init(
        variables: [String: String], isMac: Bool, hasTerminal: Bool, hasNamedBrowser: Bool, hasSystemBrowser: Bool,
        hasChromium: Bool
    ) {
        let isSet = { (name: String) in !variables[name, default: ""].isEmpty }
        isRemote = isSet("SSH_CONNECTION") || isSet("SSH_TTY")
        isAutomated = isSet("CI") && !["0", "false"].contains(variables["CI"]?.lowercased())
        display =
            isMac
            ? (isRemote ? nil : "this Mac has a screen")
            : ["WAYLAND_DISPLAY", "DISPLAY"].first(where: isSet).map { "\($0) names a display" }
        self.hasTerminal = hasTerminal
        self.hasNamedBrowser = hasNamedBrowser
        self.hasSystemBrowser = hasSystemBrowser
        self.hasChromium = hasChromium
    }
}

extension PresenterEnvironment {
    /// Returns the presenters that support a login, in order of preference, each with its reason.
    func selections(for ending: LoginEnding) -> [PresenterSelection] {
        guard !isAutomated else {
            return hasChromium
                ? [
                    PresenterSelection(
                        .chromium, because: "CI is set, and a page that needs no user can be driven without a window")
                ] : []
        }
        switch ending {
        case .loopback: return loopback
        case .redirect: return (window.map { [$0] } ?? []) + (terminal(because: pasting).map { [$0] } ?? [])
        case .cookies: return window.map { [$0] } ?? []
        }
    }

    private var loopback: [PresenterSelection] {
        var selections: [PresenterSelection] = []
        if hasNamedBrowser {
            selections.append(PresenterSelection(.systemBrowser, because: "BROWSER names an existing program"))
        } else if let display, hasSystemBrowser {
            selections.append(PresenterSelection(.systemBrowser, because: "\(display), and the login redirects to this machine"))
        }
        if let window { selections.append(window) }
        if let terminal = terminal(because: pasting) {
            // A display over SSH is slow, and its variable often remains from a connection that has ended.
            if isRemote, !hasNamedBrowser { selections.insert(terminal, at: 0) } else { selections.append(terminal) }
        }
        return selections
    }

    private var window: PresenterSelection? {
        guard let display, hasChromium else { return nil }
        return PresenterSelection(.chromium, because: "\(display), and Chromium sees where the login ends")
    }

    private func terminal(because reason: String) -> PresenterSelection? {
        hasTerminal ? PresenterSelection(.terminal, because: reason) : nil
    }

    private var pasting: String {
        if isRemote { return "this is a session over SSH, and the login can continue in a browser on any device" }
        if display == nil { return "there is no display, and the login can continue in a browser on any device" }
        return "no browser here can return automatically, and the response can be pasted"
    }

    /// Returns the missing conditions of a login that no presenter supports, each as part of a sentence.
    func missing(for ending: LoginEnding) -> [String] {
        if isAutomated { return ["CI is set, so there is no user to log in", "Chromium was not found"] }
        var missing: [String] = []
        if display == nil { missing.append("there is no display") }
        switch ending {
        case .loopback: if display != nil, !hasSystemBrowser { missing.append("no browser was found") }
        case .redirect, .cookies: break
        }
        if !hasChromium { missing.append("Chromium was not found") }
        if ending != .cookies, !hasTerminal { missing.append("there is no terminal") }
        return missing
    }
}
