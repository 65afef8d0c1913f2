import ArgumentParser
import Foundation

/// Counts instructions, a measure that does not depend on the load of the machine.
struct InstructionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "instructions", abstract: "Instructions for each small request, counted by callgrind.",
        discussion: """
            The instructions of a client's start are subtracted. The counts depend on the processor and the version of Swift; the \
            recorded and compared values are their ratios to the bare client's. They also depend on the order in which threads \
            run, by about 1 % and once by 4 %: with --check, clients are counted in up to two rounds more while a ratio is worse \
            than the recorded one, and the least count of each is compared.
            """)

    /// The recorded ratios.
    private struct Record: Codable {
        var ratios: [String: Double]
    }

    /// A client that sends a number of requests.
    private struct Run: Hashable {
        let client: String
        let requests: Int
    }

    /// Two numbers of requests. The difference of their instructions has none of the client's start.
    private static let few = 200, many = 1_200

    @Option(help: ArgumentHelp("Fail where a ratio is worse than in this file by more than 3 %.", valueName: "file.json"))
    var check: String?

    @Option(help: ArgumentHelp("Write the ratios into this file.", valueName: "file.json"))
    var record: String?

    @Flag(help: "Write the counts as JSON.")
    var json = false

    func run() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        let program = server.folder.appending(path: "Performance").path()
        // Callgrind cannot read the debugging information of Swift 6.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try Tool.run("objcopy", ["--strip-debug", own, program])
        let names = [Contenders.bare, Contenders.converted] + Contenders.own
        let recorded = try check.map {
            try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(filePath: $0))).ratios
        }
        var least: [Run: Double] = [:]
        var counts: [(name: String, count: Double)] = []
        var ratios: [String: Double] = [:]
        var worse: [String: Double] = [:]
        for round in 1...(recorded == nil ? 1 : 3) {
            for name in names {
                for requests in [Self.few, Self.many] {
                    let run = Run(client: name, requests: requests)
                    least[run] = min(least[run] ?? .infinity, try count(run, by: program, at: server))
                }
            }
            counts = names.map { name in (name, Self.perRequest(of: name, in: least)) }
            let base = counts[0].count
            ratios = Dictionary(uniqueKeysWithValues: counts.map { ($0.name, $0.count / base) })
            worse = ratios.filter { name, ratio in recorded.map { ratio > ($0[name] ?? 0) * 1.03 } ?? false }
            if worse.isEmpty { break }
            FileHandle.standardError.write(
                Data("round \(round): \(worse.keys.sorted().joined(separator: ", ")): more than 3 % worse\n".utf8))
        }
        let base = counts[0].count
        if json {
            let counted = Dictionary(uniqueKeysWithValues: counts.map { ($0.name, Int($0.count)) })
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(counted), as: UTF8.self))
        } else {
            for (name, count) in counts {
                print("\(name.padding(toLength: 31, withPad: " ", startingAt: 0)) \(Int(count)) \(text(count / base, 3))")
            }
        }
        if let record {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let rounded = ratios.mapValues { ($0 * 1000).rounded() / 1000 }
            try (encoder.encode(Record(ratios: rounded)) + Data("\n".utf8)).write(to: URL(filePath: record))
        }
        guard worse.isEmpty else {
            for (name, ratio) in worse.sorted(by: { $0.key < $1.key }) {
                let before = recorded?[name].map { text($0, 3) } ?? "nothing"
                FileHandle.standardError.write(
                    Data("\(name): \(text(ratio, 3)) times the bare client's instructions, \(before) is recorded\n".utf8))
            }
            throw ExitCode.failure
        }
    }

    private static func perRequest(of client: String, in least: [Run: Double]) -> Double {
        let counts = [many, few].map { least[Run(client: client, requests: $0)] ?? .nan }
        return (counts[0] - counts[1]) / Double(many - few)
    }

    private func count(_ run: Run, by program: String, at server: LoopbackServer) throws -> Double {
        let output = try Tool.run(
            "valgrind",
            [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "loop", "--client", run.client, "--count",
                "\(run.requests)",
                "--url", server.url("small", over: .http1), "--certificate", server.certificate.path(),
            ])
        guard let line = output.split(separator: "\n").first(where: { $0.contains("Collected") }),
            let count = line.split(separator: " ").last.flatMap({ Double($0) })
        else { throw PerformanceError("callgrind counted nothing: \(output.suffix(500))") }
        return count
    }
}

/// Measures how much memory a client needs to read a stream.
struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "How much memory a client needs to read and discard 1 GiB.")

    func run() async throws {
        let server = try LoopbackServer()
        defer { server.stop() }
        for name in [Contenders.bare] + Contenders.own.prefix(2) {
            let client = try Contenders.make(name, trusting: server.certificate.path())
            _ = try await client.drain(server.url("1m", over: .http1))
            let before = try Self.resident(reset: true)
            let count = try await client.drain(server.url("1g", over: .http1))
            guard count == 1 << 30 else { throw PerformanceError("\(count) bytes arrived") }
            let more = try Self.resident() - before
            print("\(name.padding(toLength: 31, withPad: " ", startingAt: 0)) \(text(Double(more) / 1024, 1)) MiB")
            await client.close()
        }
    }

    /// Returns the peak memory of this process since the last reset, in KiB.
    private static func resident(reset: Bool = false) throws -> Int {
        if reset { try "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM") }),
            let number = line.split(separator: " ").dropLast().last.flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) })
        else { throw PerformanceError("/proc/self/status has no VmHWM") }
        return number
    }
}

/// Sends a number of requests, for programs that count instructions.
struct LoopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "loop", abstract: "Sends a number of requests to a URL by one client.", shouldDisplay: false)

    @Option var client: String
    @Option var count: Int
    @Option var inFlight = 1
    @Option var url: String
    @Option var certificate: String

    func run() async throws {
        let contender = try Contenders.make(client, trusting: certificate)
        try await Workload.small(.http1, inFlight).run(contender, at: url) { [count] in $0 < count }
        await contender.close()
    }
}
