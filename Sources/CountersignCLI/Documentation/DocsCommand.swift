import ArgumentParser
import CountersignTesting
import Foundation

/// Builds the documentation of a package and serves it.
struct DocsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs", abstract: "Builds the documentation of a package and serves it on this machine until Ctrl-C.",
        discussion: """
            Converts each module of the package's library products with DocC, in the order of their dependencies, and merges them into one \
            archive for static hosting: any file server can serve its folder. The URL goes to the standard output, and with '--no-serve' the \
            path of the archive. Progress and DocC's diagnostics go to the standard error.

            Example: countersign docs --package-path ./Library --module Library
            """)

    @Option(
        help: ArgumentHelp("The package's folder, or a folder in it.", valueName: "folder"), completion: .directory)
    var packagePath = "."

    @Option(
        help: ArgumentHelp("SwiftPM's folder for what it builds; '.build' in the package's by default.", valueName: "folder"),
        completion: .directory)
    var scratchPath: String?

    @Option(
        help: ArgumentHelp(
            "Where the archive is written; 'countersign-docs' in the scratch folder by default. An archive there is replaced.",
            valueName: "folder"), completion: .directory)
    var output: String?

    @Option(
        name: .customLong("module"), help: ArgumentHelp("Document this module only. Repeat it for more.", valueName: "name"))
    var modules: [String] = []

    @Option(help: ArgumentHelp("The port on 127.0.0.1, from 0 to 65535; with 0 the system chooses one.", valueName: "port"))
    var port = 8080

    @Flag(help: "Build the archive, and do not serve it.")
    var noServe = false

    @Flag(help: "Fail if DocC has warnings.")
    var warningsAsErrors = false

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("'--port' is a number from 0 to 65535.") }
    }

    func run() async throws { try await run(console: .standard, until: { try await Task.sleep(for: .seconds(1 << 31)) }) }

    /// - Parameter end: Returns, or throws, when the server is to stop.
    func run(
        console: Console, environment: [String: String] = ProcessInfo.processInfo.environment,
        until end: @escaping @Sendable () async throws -> Void
    ) async throws {
        let interrupt = Interrupt()
        defer { interrupt.stop() }
        let task = Task {
            let archive = try await DocumentationBuild(
                packagePath: packagePath, scratchPath: scratchPath, modules: modules, output: output,
                warningsAreErrors: warningsAsErrors, tools: DocumentationTools(environment: environment), console: console
            ).run().archive
            if noServe {
                try console.print(archive)
            } else {
                try await serve(archive, console: console, until: end)
            }
        }
        interrupt.cancel(with: task.cancel)
        do {
            try await task.value
        } catch let exit as ExitCode {
            throw exit
        } catch is CancellationError {
            console.clearProgress()
            console.message("Stopped.")
            throw interrupt.exit ?? CommandExit.interrupted
        } catch {
            console.clearProgress()
            let failure = ClientFailure(error)
            failure.show(on: console)
            throw failure.exit
        }
    }

    private func serve(_ archive: String, console: Console, until end: @escaping @Sendable () async throws -> Void) async throws {
        do {
            try await FileServer.run(folder: archive, port: port) { port in
                try console.print("http://127.0.0.1:\(port)/documentation/")
                console.message("Serving \(archive) until Ctrl-C.")
                do { try await end() } catch is CancellationError { console.message("Stopped.") }
            }
        } catch let error as FileServerError {
            throw CommandProblem(
                error.isInUse ? "Another process listens on port \(error.port)." : "Port \(error.port) cannot be opened.",
                remedy:
                    "The archive is built: '\(archive)'. Name another port with '--port', or let the system choose one with '--port 0'.",
                exit: error.isInUse ? CommandExit.temporary : CommandExit.unavailable)
        }
    }
}
