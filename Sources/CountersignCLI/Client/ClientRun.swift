import ArgumentParser
import CountersignBrowser
import Foundation
import Synchronization

/// Runs the work of a command with a client. Ctrl-C and SIGTERM cancel the work.
enum ClientRun {
    /// - Parameters:
    ///   - json: Whether an error is also written to the standard output as JSON.
    ///   - work: The work. Its client is closed afterwards.
    /// - Throws: The exit status, after a message was written.
    static func run(
        _ options: ClientOptions, purpose: ClientPurpose = .requests, json: Bool = false, console: Console,
        _ work: @escaping @Sendable (Client) async throws -> Void
    ) async throws {
        try await run(within: options.limit, json: json, console: console) { terminal in
            try await use(try await Client(options, for: purpose, console: console, terminal: terminal), work)
        }
    }

    /// Closes a client after work with it, also if the work has failed.
    ///
    /// - Returns: The result of the work.
    static func use<Value>(_ client: Client, _ work: (Client) async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await work(client)
        } catch {
            // Cookies that were received before the failure are saved.
            try? await client.close()
            throw error
        }
        try await client.close()
        return value
    }

    /// Runs work that may need several clients.
    ///
    /// - Parameter work: The work, with the terminal of the user; `nil` if there is none.
    /// - Throws: The exit status, after a message was written.
    static func run(
        within limit: TimeLimit, json: Bool, console: Console, _ work: @escaping @Sendable (Terminal?) async throws -> Void
    ) async throws {
        let interrupt = Interrupt()
        defer { interrupt.stop() }
        // The progress line must not stay beside a question.
        let terminal = Terminal.standard { interrupt.come() }?.beforeWriting { console.clearProgress() }
        let task = Task { try await limit.run { try await work(terminal) } }
        interrupt.cancel(with: task.cancel)
        do {
            try await task.value
            console.clearProgress()
        } catch let exit as ExitCode {
            console.clearProgress()
            throw exit
        } catch {
            console.clearProgress()
            if let exit = interrupt.exit { throw exit }
            try ClientFailure(error).end(on: console, json: json)
        }
    }
}

/// Handles Ctrl-C and SIGTERM: instead of ending the process, they cancel the running work, so that nothing is stored partially,
/// and that temporary files, browsers and the settings of the terminal do not remain.
final class Interrupt: Sendable {
    private static let signals = [(number: SIGINT, exit: CommandExit.interrupted), (number: SIGTERM, exit: CommandExit.terminated)]

    // The sources are set once and are thread-safe, but Dispatch does not declare that.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]
    private let state = Mutex((exit: nil as ExitCode?, cancel: nil as (@Sendable () -> Void)?))

    init() {
        var sources: [any DispatchSourceSignal] = []
        for number in Self.signals.map(\.number) {
            signal(number, SIG_IGN)
            sources.append(DispatchSource.makeSignalSource(signal: number, queue: .global()))
        }
        self.sources = sources
        // A signal is lost if it comes before its source is registered.
        let registrations = DispatchSemaphore(value: 0)
        for (source, exit) in zip(sources, Self.signals.map(\.exit)) {
            source.setEventHandler { [weak self] in self?.come(exit) }
            source.setRegistrationHandler { registrations.signal() }
            source.resume()
        }
        for _ in sources { _ = registrations.wait(timeout: .now() + .seconds(1)) }
    }

    /// Runs work that a signal cancels.
    ///
    /// - Throws: The exit status of the signal if the work fails after one; otherwise the error of the work.
    static func run(_ work: @escaping @Sendable () async throws -> Void) async throws {
        let interrupt = Interrupt()
        defer { interrupt.stop() }
        let task = Task { try await work() }
        interrupt.cancel(with: task.cancel)
        do {
            try await task.value
        } catch {
            if let exit = interrupt.exit { throw exit }
            throw error
        }
    }

    /// The exit status of the first signal; `nil` if none has come.
    var exit: ExitCode? { state.withLock { $0.exit } }

    /// Sets the closure that the first signal calls. It is called at once if a signal has come already.
    func cancel(with cancel: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.cancel = cancel
            return state.exit != nil
        }
        if hasCome { cancel() }
    }

    /// Handles a signal, or Ctrl-C from a terminal that sends it as a character.
    func come(_ exit: ExitCode = CommandExit.interrupted) {
        let (isSecond, cancel) = state.withLock { state in
            defer { state.exit = state.exit ?? exit }
            return (state.exit != nil, state.cancel)
        }
        // The second signal ends the process, in case the work does not react to its cancellation.
        if isSecond { _exit(exit.rawValue) }
        cancel?()
    }

    func stop() {
        for source in sources { source.cancel() }
        for number in Self.signals.map(\.number) { signal(number, SIG_DFL) }
    }
}
