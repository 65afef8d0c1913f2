#if os(macOS) || os(Linux)
import Countersign
import Foundation
import Synchronization
import TestTurns
import Testing

@testable import CountersignBrowser

extension PresenterEnvironment {
    /// Makes the environment of a machine from its properties.
    fileprivate init(
        _ variables: [String: String] = [:], isMac: Bool = false, terminal: Bool = true, named: Bool = false, browser: Bool = true,
        chromium: Bool = true
    ) {
        self.init(
            variables: variables, isMac: isMac, hasTerminal: terminal, hasNamedBrowser: named, hasSystemBrowser: browser,
            hasChromium: chromium)
    }
}

private let desktop = ["DISPLAY": ":0"]
private let remote = ["SSH_CONNECTION": "198.51.100.7 51000 203.0.113.5 22"]

@Suite(.takesTurns) struct `Choice of a presenter` {
    private struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let environment: PresenterEnvironment
        /// The choices for a redirect to this machine, for another redirect, and for cookies.
        let expected: [[PresenterChoice]]
        var testDescription: String { name }
    }

    private static let cases = [
        Case(
            name: "a desktop", environment: PresenterEnvironment(desktop),
            expected: [[.systemBrowser, .chromium, .terminal], [.chromium, .terminal], [.chromium]]),
        Case(
            name: "a desktop of Wayland, without Chromium",
            environment: PresenterEnvironment(["WAYLAND_DISPLAY": "w"], chromium: false),
            expected: [[.systemBrowser, .terminal], [.terminal], []]),
        Case(
            name: "a desktop without a browser", environment: PresenterEnvironment(desktop, browser: false, chromium: false),
            expected: [[.terminal], [.terminal], []]),
        Case(
            name: "a program of a desktop without a terminal", environment: PresenterEnvironment(desktop, terminal: false),
            expected: [[.systemBrowser, .chromium], [.chromium], [.chromium]]),
        Case(
            name: "a server with a terminal", environment: PresenterEnvironment(), expected: [[.terminal], [.terminal], []]),
        Case(
            name: "a service", environment: PresenterEnvironment(terminal: false), expected: [[], [], []]),
        Case(
            name: "a session over SSH", environment: PresenterEnvironment(remote), expected: [[.terminal], [.terminal], []]),
        Case(
            name: "a session over SSH with a forwarded display",
            environment: PresenterEnvironment(remote.merging(["DISPLAY": "localhost:10.0"]) { $1 }),
            expected: [[.terminal, .systemBrowser, .chromium], [.chromium, .terminal], [.chromium]]),
        Case(
            name: "an editor on another machine, whose BROWSER opens pages there",
            environment: PresenterEnvironment(remote, named: true), expected: [[.systemBrowser, .terminal], [.terminal], []]),
        Case(
            name: "a Mac", environment: PresenterEnvironment(isMac: true, chromium: false),
            expected: [[.systemBrowser, .terminal], [.terminal], []]),
        Case(
            name: "a Mac over SSH", environment: PresenterEnvironment(remote, isMac: true),
            expected: [[.terminal], [.terminal], []]),
        Case(
            name: "continuous integration", environment: PresenterEnvironment(desktop.merging(["CI": "true"]) { $1 }),
            expected: [[.chromium], [.chromium], [.chromium]]),
        Case(
            name: "continuous integration without Chromium", environment: PresenterEnvironment(["CI": "1"], chromium: false),
            expected: [[], [], []]),
        Case(
            name: "CI that says it is none", environment: PresenterEnvironment(["CI": "false"]),
            expected: [[.terminal], [.terminal], []]),
    ]

    @Test(arguments: cases)
    private func `it is by what is there, and by how the login ends`(machine: Case) {
        let endings: [LoginEnding] = [.loopback, .redirect, .cookies]
        #expect(endings.map { machine.environment.selections(for: $0).map(\.choice) } == machine.expected)
        for (ending, expected) in zip(endings, machine.expected) where expected.isEmpty {
            #expect(!machine.environment.missing(for: ending).isEmpty)
        }
    }

    @Test func `the reason names what was found`() {
        let reasons = { (environment: PresenterEnvironment) in environment.selections(for: .loopback).first?.reason ?? "" }
        #expect(reasons(PresenterEnvironment(desktop)) == "DISPLAY names a display, and the login redirects to this machine")
        #expect(reasons(PresenterEnvironment(named: true)) == "BROWSER names an existing program")
        #expect(reasons(PresenterEnvironment(remote)).hasPrefix("this is a session over SSH"))
        #expect(reasons(PresenterEnvironment()).hasPrefix("there is no display"))
        #expect(reasons(PresenterEnvironment(["CI": "1"])).hasPrefix("CI is set"))
    }

    @Test func `how a login ends is read from its presentation`() async throws {
        for (redirect, ending) in [
            ("http://127.0.0.1/callback", LoginEnding.loopback), ("http://[::1]:80/", .loopback),
            ("http://localhost/callback", .redirect),
            ("com.example.app:/callback", .redirect), ("https://app.example/callback", .redirect),
        ] {
            #expect(LoginEnding(of: try await Login.presentation(redirect: redirect)) == ending)
        }
    }
}

@Suite(.takesTurns) struct `Automatic presenter` {
    private enum Outcome { case succeeds, fails, cannotOpen, isMissing }

    private struct Answer: WebPresenter {
        let error: (any Error)?

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            if let error { throw PresentationFailure.load(error) }
            return WebPresentationResult(finishURL: presentation.url, cookies: presentation.cookies)
        }
    }

    /// Presents a page, and returns the reports and the result.
    private func present(
        _ choice: PresenterChoice? = nil, in environment: PresenterEnvironment, _ outcomes: [PresenterChoice: Outcome] = [:]
    ) async throws -> (reported: [String], result: Result<WebPresentationResult, any Error>) {
        let reported = Mutex<[String]>([])
        let factory = PresenterFactory {
            environment
        } make: { choice, _ in
            switch outcomes[choice] ?? .succeeds {
            case .succeeds: Answer(error: nil)
            case .fails: Answer(error: TerminalError.noTerminal)
            case .cannotOpen: Answer(error: SystemBrowserError.failed(programs: ["xdg-open"]))
            case .isMissing: nil
            }
        }
        let presenter = AutomaticPresenter(choice, factory: factory) { selection in
            reported.withLock { $0.append(selection.choice.rawValue) }
        }
        let presentation = try await Login.presentation()
        do {
            let result = try await presenter.present(presentation)
            return (reported.withLock { $0 }, .success(result))
        } catch {
            return (reported.withLock { $0 }, .failure(error))
        }
    }

    private func cause(_ result: Result<WebPresentationResult, any Error>) -> (any Error)? {
        guard case .failure(PresentationFailure.load(let cause)) = result else { return nil }
        return cause
    }

    @Test func `a browser that cannot be opened gives way to the next presenter`() async throws {
        let (reported, result) = try await present(
            in: PresenterEnvironment(desktop, chromium: false), [.systemBrowser: .cannotOpen])
        #expect(throws: Never.self) { try result.get() }
        #expect(reported == ["system-browser", "terminal"])
    }

    @Test func `another failure ends the login`() async throws {
        let (reported, result) = try await present(in: PresenterEnvironment(desktop), [.systemBrowser: .fails])
        #expect(cause(result) as? TerminalError == .noTerminal)
        #expect(reported == ["system-browser"])
    }

    @Test func `where none fits, the error says what is missing`() async throws {
        let (reported, result) = try await present(in: PresenterEnvironment(terminal: false, chromium: false))
        let expected = AutomaticPresenterError.noneFits(
            authenticationMethod: "Test", missing: ["there is no display", "Chromium was not found", "there is no terminal"])
        #expect(cause(result) as? AutomaticPresenterError == expected)
        #expect(
            "\(expected)".contains(
                "no presenter is available for Test: there is no display, Chromium was not found, there is no terminal;"))
        #expect(reported == [])
    }

    @Test func `a presenter that is asked for is taken whatever is there`() async throws {
        let (reported, result) = try await present(.chromium, in: PresenterEnvironment(["CI": "1"], chromium: false))
        #expect(throws: Never.self) { try result.get() }
        #expect(reported == ["chromium"])
        let missing = try await present(.chromium, in: PresenterEnvironment(desktop), [.chromium: .isMissing])
        #expect(cause(missing.result) as? AutomaticPresenterError == .noChromium)
    }

    @Test func `a browser that is asked for is not started where no user could see it`() async throws {
        for variables in [[:], remote] {
            let (reported, result) = try await present(.chromium, in: PresenterEnvironment(variables))
            #expect("\(cause(result) as? AutomaticPresenterError ?? .noChromium)".contains("set CI=true"))
            #expect(reported == [])
        }
        let (reported, result) = try await present(.chromium, in: PresenterEnvironment(desktop))
        #expect(throws: Never.self) { try result.get() }
        #expect(reported == ["chromium"])
    }
}
#endif
