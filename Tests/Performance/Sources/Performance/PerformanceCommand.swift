import ArgumentParser
import Foundation

@main
struct PerformanceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Performance", abstract: "Compares the speed of Countersign with that of other clients that do the same work.",
        subcommands: [
            MeasureCommand.self, InstructionsCommand.self, MemoryCommand.self, HerdCommand.self, GrowthCommand.self,
            OthersCommand.self, LoopCommand.self, ContenderCommand.self, ChallengeServerCommand.self,
        ],
        defaultSubcommand: MeasureCommand.self)

    /// Blocks the main thread until the command ends. Callgrind requires the main thread, which an asynchronous `main` would end.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do {
                var command = try parseAsRoot()
                if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
            } catch {
                exit(withError: error)
            }
            end.signal()
        }
        end.wait()
    }
}
