import ArgumentParser
import Foundation

/// Measures the clients side by side.
struct MeasureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure", abstract: "Clients side by side, round by round, in one process against one server.")

    @Option(help: "The number of rounds; the result is their median.")
    var rounds = 5

    @Option(help: "How long a client works in each round, in seconds; in shorter rounds few of the largest bodies are sent.")
    var seconds = 1.5

    @Option(help: "Only work whose name contains this text, such as 'down, 16 in flight'.")
    var only: String?

    @Flag(help: "Write the result as JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw the result into this file.", valueName: "file.svg"))
    var svg: String?

    func validate() throws {
        guard rounds > 0, seconds > 0 else { throw ValidationError("--rounds and --seconds must be greater than 0.") }
    }

    func run() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        var figures = Figures(machine: .this, rounds: rounds, secondsPerRound: seconds)
        for workload in Workload.all where only.map(workload.title.contains) ?? true {
            FileHandle.standardError.write(Data("\(workload.title)\n".utf8))
            figures.figures += try await measure(workload, at: server)
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(figures), as: UTF8.self))
        } else {
            for line in figures.lines() { print(line) }
        }
        if let svg { try Chart(figures).text().write(toFile: svg, atomically: true, encoding: .utf8) }
    }

    private func measure(_ workload: Workload, at server: LoopbackServer) async throws -> [Figure] {
        var names = [Contenders.bare, Contenders.converted] + Contenders.own
        // Foundation's session does not trust the server's certificate, and HTTP/2 requires TLS here.
        if workload.version == .http1 { names.append(Contenders.foundation) }
        var rates: [String: [Double]] = [:]
        var processor: [String: [Double]] = [:]
        var clients: [(name: String, client: any Contender)] = []
        for name in names { clients.append((name, try Contenders.make(name, trusting: server.certificate.path()))) }
        for (_, client) in clients { _ = try await workload.run(client, at: server, for: .seconds(seconds / 4)) }
        for round in 0..<rounds {
            // The order rotates, so that no client is always the first.
            for (name, client) in clients[(round % clients.count)...] + clients[..<(round % clients.count)] {
                let measured = try await workload.run(client, at: server, for: .seconds(seconds))
                rates[name, default: []].append(measured.rate)
                processor[name, default: []].append(measured.processor)
            }
        }
        for (_, client) in clients { await client.close() }
        let medians = rates.mapValues(median)
        let base = medians[Contenders.bare] ?? .nan
        let likeBase = medians[Contenders.converted] ?? .nan
        return names.map { name in
            let values = rates[name] ?? []
            let rate = medians[name] ?? .nan
            let isOfFoundation = name.hasPrefix("SAPURLSession")
            return Figure(
                work: workload.name, inFlight: workload.inFlight, client: name, rate: rate,
                spread: ((values.max() ?? 0) - (values.min() ?? 0)) / rate, ratio: rate / base,
                ratioInItsTypes: isOfFoundation ? rate / likeBase : nil,
                processor: median(processor[name] ?? []) / median(processor[Contenders.bare] ?? []),
                target: Contenders.own.contains(name) ? 0.97 : nil)
        }
    }
}
