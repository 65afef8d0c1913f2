import ArgumentParser
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
        let task = Task {
            let client = try await Client(options, for: purpose, console: console)
            do {
                try await work(client)
            } catch {
                // What was kept before is not lost with what failed now.
                try? await client.close()
                throw error
            }
            try await client.close()
        }
        let interrupt = Interrupt { task.cancel() }
        defer { interrupt.stop() }
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
    private let flag = Mutex(false)

    init(_ cancel: @escaping @Sendable () -> Void) {
        signal(SIGINT, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { [weak self] in
            // Whatever does not listen to the first ends with the second.
            if self?.hasCome == true { _exit(CommandExit.interrupted.rawValue) }
            self?.flag.withLock { $0 = true }
            cancel()
        }
        source.resume()
    }

    var hasCome: Bool { flag.withLock(\.self) }

    func stop() {
        source.cancel()
        signal(SIGINT, SIG_DFL)
    }
}
