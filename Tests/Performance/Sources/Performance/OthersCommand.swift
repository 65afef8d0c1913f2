import ArgumentParser
import Foundation

/// Measures clients of other languages and libraries on the same work.
struct OthersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "others", abstract: "Other languages' clients: small answers, and 1,000 requests challenged at once.",
        discussion: """
            Each client is a process of its own and does the same: small answers from nginx over HTTP/1.1, and requests that a server \
            challenges with 'WWW-Authenticate: Bearer' until they carry its current token. Its token endpoint takes 100 ms. The \
            requests are sent at once: without a token at first, then with one that the server has revoked. Tokens are those that \
            were fetched; each client fetches them as the documentation of its libraries shows.

            Clients that are not installed are listed, but not measured. On Debian, this installs all of them:

            apt-get install nginx openssl gcc libcurl4-openssl-dev golang-go golang-golang-x-oauth2-dev
            python3 -m venv /tmp/others && /tmp/others/bin/pip install httpx authlib
            Performance others --python /tmp/others/bin/python
            """)

    @Option(help: "The number of rounds; the result is their median.")
    var rounds = 3

    @Option(help: "How long a client works on small answers in each round, in seconds.")
    var seconds = 1.0

    @Option(help: "How many requests are challenged at once.")
    var count = 1_000

    @Option(help: ArgumentHelp("The Python that has httpx and Authlib.", valueName: "path"))
    var python = "python3"

    @Flag(help: "Write the result as JSON.")
    var json = false

    func validate() throws {
        guard rounds > 0, seconds > 0, count > 0 else {
            throw ValidationError("--rounds, --seconds and --count must be greater than 0.")
        }
    }

    func run() async throws {
        OpenFiles.raiseLimit()
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign-others-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var result = Others(machine: .this, rounds: rounds, secondsPerRound: seconds, count: count)
        var clients: [OtherClient] = []
        for make in OtherClient.all {
            let client = make(OtherClient.Tools(own: own, python: python, folder: folder))
            if let reason = client.missing {
                result.notMeasured.append("\(client.name): not measured: \(reason)")
            } else {
                clients.append(client)
            }
        }
        result.small = try measureSmall(clients)
        result.challenged = try await measureChallenged(clients.filter(\.hasTokens), server: own)
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(result), as: UTF8.self))
        } else {
            for line in result.lines() { print(line) }
        }
    }

    /// The output of a client for small responses.
    private struct SmallRun: Decodable {
        let requests: Int
        let failures: Int
        let seconds: Double
    }

    private func measureSmall(_ clients: [OtherClient]) throws -> [Others.Small] {
        let server = try LoopbackServer()
        defer { server.stop() }
        let url = server.url("small", over: .http1)
        var rows: [Others.Small] = []
        for inFlight in [1, 16, 64] {
            var rates: [String: [Double]] = [:]
            var failures: [String: Int] = [:]
            for round in 0..<rounds {
                for client in Self.turned(clients, by: round) {
                    let arguments = ["small", url, "\(inFlight)", "\(seconds)"]
                    let run: SmallRun = try Self.output(of: client, arguments)
                    rates[client.name, default: []].append(Double(run.requests) / run.seconds)
                    failures[client.name, default: 0] += run.failures
                }
            }
            rows += clients.map {
                Others.Small(
                    client: $0.name, inFlight: inFlight, rate: median(rates[$0.name] ?? []), failures: failures[$0.name] ?? 0)
            }
            Self.note("small answers, \(inFlight) in flight")
        }
        return rows
    }

    /// The output of a client for challenged requests.
    private struct ChallengedRun: Decodable {
        struct Part: Decodable {
            let milliseconds: Double
            let failures: Int
        }

        let cold: Part
        let revoked: Part
    }

    private func measureChallenged(_ clients: [OtherClient], server own: String) async throws -> [Others.Challenged] {
        var runs: [String: [(run: ChallengedRun, counts: [ChallengeCounts])]] = [:]
        for round in 0..<rounds {
            for client in Self.turned(clients, by: round) {
                // Each client has a fresh server.
                let server = try ChallengeServer(by: own)
                defer { server.stop() }
                let run: ChallengedRun = try Self.output(of: client, ["challenged", server.base, "\(count)"])
                let counts = try await server.counts()
                guard counts.count == 2 else { throw PerformanceError("\(client.name) has revoked \(counts.count - 1) tokens") }
                runs[client.name, default: []].append((run, counts))
            }
            Self.note("\(count) challenged at once, round \(round + 1)")
        }
        return clients.flatMap { client in
            let runs = runs[client.name] ?? []
            return [
                Others.Challenged(
                    client: client.name, token: "none", milliseconds: median(runs.map(\.run.cold.milliseconds)),
                    challenged: Int(median(runs.map { Double($0.counts[0].challenged) })),
                    tokens: Int(median(runs.map { Double($0.counts[0].tokens) })),
                    failures: runs.reduce(0) { $0 + $1.run.cold.failures }),
                Others.Challenged(
                    client: client.name, token: "revoked", milliseconds: median(runs.map(\.run.revoked.milliseconds)),
                    challenged: Int(median(runs.map { Double($0.counts[1].challenged) })),
                    tokens: Int(median(runs.map { Double($0.counts[1].tokens) })),
                    failures: runs.reduce(0) { $0 + $1.run.revoked.failures }),
            ]
        }
    }

    /// Rotates the clients, so that none is always the first.
    private static func turned(_ clients: [OtherClient], by round: Int) -> [OtherClient] {
        guard !clients.isEmpty else { return [] }
        let first = round % clients.count
        return Array(clients[first...] + clients[..<first])
    }

    private static func output<Run: Decodable>(of client: OtherClient, _ arguments: [String]) throws -> Run {
        guard let program = client.command.first else { throw PerformanceError("\(client.name) has no program") }
        let output = try Tool.run(program, client.command.dropFirst() + arguments)
        // Warnings of a library may precede the result.
        guard let line = output.split(separator: "\n").last, let run = try? JSONDecoder().decode(Run.self, from: Data(line.utf8))
        else { throw PerformanceError("\(client.name) has printed no result: \(output.suffix(500))") }
        return run
    }

    private static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

/// A client in a process of its own.
struct OtherClient: Sendable {
    /// The tools that make the clients.
    struct Tools: Sendable {
        /// The path of this program.
        let own: String
        let python: String
        /// The folder for programs.
        let folder: URL
    }

    let name: String
    /// The program and its first arguments.
    let command: [String]
    /// Whether the client also takes part in the measurement of challenged requests.
    var hasTokens = true
    /// The reason why the client cannot be measured; `nil` if it can.
    var missing: String?

    static let all: [@Sendable (Tools) -> OtherClient] = [
        { own("Session", as: "Countersign, Session", $0) },
        { own("async-http-client", as: "async-http-client", $0) },
        { own("URLSession", as: "URLSession", $0) },
        httpx, go, curl,
    ]

    private static func own(_ client: String, as name: String, _ tools: Tools) -> OtherClient {
        OtherClient(name: name, command: [tools.own, "contender", client])
    }

    private static let httpx: @Sendable (Tools) -> OtherClient = { tools in
        let name = "httpx with Authlib"
        do {
            let python = try Tool.path(of: tools.python)
            guard (try? Tool.run(python, ["-c", "import httpx, authlib"])) != nil else {
                throw PerformanceError("httpx and Authlib are not installed for \(python)")
            }
            return OtherClient(name: name, command: [python, sources.appending(path: "httpx_authlib.py").path()])
        } catch {
            return OtherClient(name: name, command: [], missing: "\(error)")
        }
    }

    private static let go: @Sendable (Tools) -> OtherClient = { tools in
        let environment = ["GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOCACHE=\(tools.folder.appending(path: "go").path())"]
        return compiled("net/http with x/oauth2", "go", from: "x_oauth2.go", tools) { source, program in
            ("env", environment + ["go", "build", "-o", program, source])
        }
    }

    private static let curl: @Sendable (Tools) -> OtherClient = { tools in
        compiled("libcurl's multi interface", "cc", from: "curl_multi.c", tools) { source, program in
            ("cc", ["-O2", "-o", program, source, "-lcurl"])
        }
    }

    private static func compiled(
        _ name: String, _ compiler: String, from file: String, _ tools: Tools,
        by command: (String, String) -> (program: String, arguments: [String])
    ) -> OtherClient {
        let program = tools.folder.appending(path: file + ".program").path()
        do {
            _ = try Tool.path(of: compiler)
            let build = command(sources.appending(path: file).path(), program)
            do {
                try Tool.run(build.program, build.arguments)
            } catch {
                let reason = "\(error)".split(separator: "\n").first { $0.contains("rror") } ?? "it does not compile"
                throw PerformanceError("its libraries are not installed: \(reason)")
            }
            return OtherClient(name: name, command: [program])
        } catch {
            return OtherClient(name: name, command: [], missing: "\(error)")
        }
    }

    /// The folder with the sources of the clients.
    private static var sources: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Others").standardized
    }
}

/// The results of the clients.
struct Others: Encodable, Sendable {
    /// The result for small responses.
    struct Small: Encodable, Sendable {
        let client: String
        let inFlight: Int
        /// Requests per second: the median of the rounds.
        let rate: Double
        /// The failures of all rounds.
        let failures: Int
    }

    /// The result for requests that were challenged at once.
    struct Challenged: Encodable, Sendable {
        let client: String
        /// The token that the requests have at first.
        let token: String
        /// The time until the last request has its response: the median of the rounds.
        let milliseconds: Double
        /// The number of challenged requests: the median of the rounds.
        let challenged: Int
        /// The number of fetched tokens: the median of the rounds.
        let tokens: Int
        /// The failures of all rounds.
        let failures: Int
    }

    let machine: Figures.Machine
    let rounds: Int
    let secondsPerRound: Double
    /// The number of requests that were sent at once.
    let count: Int
    var small: [Small] = []
    var challenged: [Challenged] = []
    var notMeasured: [String] = []

    func lines() -> [String] {
        func line(_ name: String, _ cells: [String]) -> String {
            name.padding(toLength: 27, withPad: " ", startingAt: 0) + cells.map { $0.leftPadded(to: 12) }.joined()
        }
        var lines = ["\(machine.model), \(machine.processors) processors, \(machine.system)", "medians of \(rounds) rounds", ""]
        let inFlight = small.reduce(into: [Int]()) { if !$0.contains($1.inFlight) { $0.append($1.inFlight) } }
        lines += ["small answers, HTTP/1.1, requests/s", line("client", inFlight.map { "\($0) at once" } + ["failures"])]
        for rows in Self.byClient(small, \.client) {
            let failures = rows.reduce(0) { $0 + $1.failures }
            lines.append(line(rows[0].client, rows.map { "\(Int($0.rate.rounded()))" } + ["\(failures)"]))
        }
        for token in ["none", "revoked"] {
            let title = token == "none" ? "without a token" : "with a token that was revoked"
            lines += ["", "\(count) requests at once \(title)", line("client", ["ms", "challenged", "tokens", "failures"])]
            for row in challenged where row.token == token {
                let cells = [text(row.milliseconds, 0), "\(row.challenged)", "\(row.tokens)", "\(row.failures)"]
                lines.append(line(row.client, cells))
            }
        }
        return lines + (notMeasured.isEmpty ? [] : [""] + notMeasured)
    }

    private static func byClient<Row>(_ rows: [Row], _ client: (Row) -> String) -> [[Row]] {
        var order: [String] = []
        for row in rows where !order.contains(client(row)) { order.append(client(row)) }
        return order.map { name in rows.filter { client($0) == name } }
    }
}

/// The limit of open files of this process. Each connection is an open file.
enum OpenFiles {
    static func raiseLimit() {
        var limit = rlimit()
        #if canImport(Darwin)
        let resource = RLIMIT_NOFILE
        #else
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #endif
        guard getrlimit(resource, &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 16_384)
        setrlimit(resource, &limit)
    }
}
