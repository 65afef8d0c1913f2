import ArgumentParser
import CountersignBrowser
import Foundation
import Synchronization

/// Runs what a command does with a client, to an end that Ctrl-C can bring about.
enum ClientRun {
    /// - Parameter work: Gets a client, which is closed afterwards.
    /// - Throws: The status to end with, after a message.
    static func run(
        _ options: ClientOptions, purpose: ClientPurpose = .requests, console: Console,
        _ work: @escaping @Sendable (Client) async throws -> Void
    ) async throws {
        let interrupt = Interrupt()
        defer { interrupt.stop() }
        // Of the line that says what is waited for, nothing stands beside a question.
        let terminal = Terminal.standard { interrupt.come() }?.beforeWriting { console.clearProgress() }
        let task = Task {
            let client = try await Client(options, for: purpose, console: console, terminal: terminal)
            do {
                try await work(client)
            } catch {
                // What was kept before is not lost with what failed now.
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

/// Notices Ctrl-C, which then does not end the process by itself: what is under way is cancelled, and nothing half stored stays.
final class Interrupt: Sendable {
    // Set once, and thread-safe by itself; Dispatch does not say so.
    private nonisolated(unsafe) let source: any DispatchSourceSignal
    private let state = Mutex((hasCome: false, cancel: nil as (@Sendable () -> Void)?))

    init() {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [weak self] in self?.come() }
        source.resume()
    }

    var hasCome: Bool { state.withLock(\.hasCome) }

    /// What the first Ctrl-C cancels, also one that has come already.
    func cancel(with cancel: @escaping @Sendable () -> Void) {
        let hasCome = state.withLock { state in
            state.cancel = cancel
            return state.hasCome
        }
        if hasCome { cancel() }
    }

    /// Ctrl-C, from a signal or from a terminal that sends it as a character.
    func come() {
        let (isSecond, cancel) = state.withLock { state in
            defer { state.hasCome = true }
            return (state.hasCome, state.cancel)
        }
        // Whatever does not listen to the first ends with the second.
        if isSecond { _exit(CommandExit.interrupted.rawValue) }
        cancel?()
    }

    func stop() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
