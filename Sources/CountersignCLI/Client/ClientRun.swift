import ArgumentParser
import CountersignBrowser
import Foundation
import Synchronization

/// Runs the work of a command with a client. Ctrl-C cancels the work.
enum ClientRun {
    /// - Parameter work: The work. Its client is closed afterwards.
    /// - Throws: The exit status, after a message was written.
    static func run(
        _ options: ClientOptions, purpose: ClientPurpose = .requests, console: Console,
        _ work: @escaping @Sendable (Client) async throws -> Void
    ) async throws {
        let interrupt = Interrupt()
        defer { interrupt.stop() }
        // The progress line must not stay beside a question.
        let terminal = Terminal.standard { interrupt.come() }?.beforeWriting { console.clearProgress() }
        let task = Task {
            let client = try await Client(options, for: purpose, console: console, terminal: terminal)
            do {
                try await work(client)
            } catch {
                // Cookies that were received before the failure are saved.
                try? await client.close()
                throw error
            }
            try await client.close()
        }
        interrupt.cancel(with: task.cancel)
        do {
            try await task.value
            console.clearProgress()
        } catch let exit as ExitCode {
            console.clearProgress()
            throw exit
        } catch {
            console.clearProgress()
            guard !interrupt.hasCome else { throw CommandExit.interrupted }
            let failure = ClientFailure(error)
            failure.show(on: console)
            throw failure.exit
        }
    }
}

/// Handles Ctrl-C: instead of ending the process, it cancels the running work, so that nothing is stored partially.
final class Interrupt: Sendable {
    // The source is set once and is thread-safe, but Dispatch does not declare that.
    private nonisolated(unsafe) let source: any DispatchSourceSignal
    private let state = Mutex((hasCome: false, cancel: nil as (@Sendable () -> Void)?))

    init() {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [weak self] in self?.come() }
        source.resume()
    }

    var hasCome: Bool { state.withLock(\.hasCome) }

    /// Sets the closure that the first Ctrl-C calls. It is called at once if Ctrl-C was pressed already.
    func cancel(with cancel: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.cancel = cancel
            return state.hasCome
        }
        if hasCome { cancel() }
    }

    /// Handles Ctrl-C, from a signal or from a terminal that sends it as a character.
    func come() {
        let (isSecond, cancel) = state.withLock { state in
            defer { state.hasCome = true }
            return (state.hasCome, state.cancel)
        }
        // The second Ctrl-C ends the process, in case the work does not react to its cancellation.
        if isSecond { _exit(CommandExit.interrupted.rawValue) }
        cancel?()
    }

    func stop() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
