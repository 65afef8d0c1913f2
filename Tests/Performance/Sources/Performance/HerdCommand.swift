import ArgumentParser
import Countersign
import Foundation
import HTTPAuthentication
import HTTPTypes
import Synchronization

/// Measures requests that are challenged at once, in memory: the cost of each request that waits for the one authentication.
struct HerdCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herd", abstract: "Many requests challenged at once: authentications, time and memory for each.")

    @Argument(help: "The numbers of requests.")
    var counts = [1_000, 10_000, 100_000]

    func run() async throws {
        print("requests  state    authentications  sends  µs each  KiB each  last after ms")
        for count in counts {
            guard let url = URL(string: "https://app.example/") else { throw PerformanceError("invalid URL") }
            let server = MemoryServer(at: url)
            let session = Session(transport: server)
            let user = User(server)
            session.register(HTTPBasicObserver(parameters: HTTPBasicParameters(servers: [url]), prompting: user))
            for state in ["cold", "expired"] {
                server.expire()
                user.awaits(count)
                let before = residentKiB()
                let start = processorTime()
                var last = ContinuousClock.now
                try await withThrowingTaskGroup(of: ContinuousClock.Instant.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            let head = HTTPRequest(method: .get, scheme: "https", authority: "app.example", path: "/")
                            let response = try await session.send(SessionRequest(head))
                            guard response.head.status == .ok else { throw PerformanceError("status \(response.head.status)") }
                            return .now
                        }
                    }
                    for try await end in group { last = max(last, end) }
                }
                let time = processorTime() - start
                let counted = user.taken()
                let latency = (last - counted.released) / .milliseconds(1)
                print(
                    [
                        "\(count)".padding(toLength: 9, withPad: " ", startingAt: 0),
                        state.padding(toLength: 8, withPad: " ", startingAt: 0),
                        "\(counted.authentications)".padding(toLength: 16, withPad: " ", startingAt: 0),
                        "\(server.takeSends())".padding(toLength: 6, withPad: " ", startingAt: 0),
                        text(time / Double(count) * 1e6, 1).padding(toLength: 8, withPad: " ", startingAt: 0),
                        text(Double(max(0, counted.memory - before)) / Double(count), 1).padding(
                            toLength: 9, withPad: " ", startingAt: 0),
                        text(latency, 0),
                    ].joined(separator: " "))
            }
            await session.invalidate(cancelling: true)
        }
    }

    /// A user who types the password when all requests wait for it.
    private final class User: HTTPBasicPrompting {
        private struct State {
            var expected = 0
            var authentications = 0
            var memory = 0
            var released = ContinuousClock.now
        }

        private let server: MemoryServer
        private let state = Mutex(State())

        init(_ server: MemoryServer) { self.server = server }

        func awaits(_ count: Int) { state.withLock { $0 = State(expected: count) } }

        func taken() -> (authentications: Int, memory: Int, released: ContinuousClock.Instant) {
            state.withLock { ($0.authentications, $0.memory, $0.released) }
        }

        func userAndPassword(for prompt: CredentialPrompt) async throws -> (user: String, password: String)? {
            let expected = state.withLock { $0.expected }
            while server.challenged < expected { try await Task.sleep(for: .milliseconds(1)) }
            // The last requests have received their challenge, but may not wait yet.
            try await Task.sleep(for: .milliseconds(100))
            state.withLock { state in
                state.authentications += 1
                state.memory = residentKiB()
                state.released = .now
            }
            return ("alice", server.password)
        }
    }
}

/// A server in memory that requires a password.
private final class MemoryServer: HTTPTransport {
    private struct State {
        var generation = 0
        var good = ""
        var challenged = 0
        var sends = 0
    }

    private let state = Mutex(State())
    // Made once, because the cost of a server's response is not to be measured.
    private let url: URL
    private let answer = HTTPResponse(status: .ok)
    private let challenge = HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"app\""])

    init(at url: URL) { self.url = url }

    var challenged: Int { state.withLock { $0.challenged } }
    var password: String { "password-\(state.withLock { $0.generation })" }

    func expire() {
        state.withLock { state in
            state.generation += 1
            state.good = "Basic " + Data("alice:password-\(state.generation)".utf8).base64EncodedString()
            state.challenged = 0
            state.sends = 0
        }
    }

    func takeSends() -> Int { state.withLock { $0.sends } }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        let field = request.head.headerFields.first { $0.name == .authorization }?.value
        let isGood = state.withLock { state in
            state.sends += 1
            guard field != state.good else { return true }
            state.challenged += 1
            return false
        }
        return SessionResponse(head: isGood ? answer : challenge, url: url, body: ResponseBody())
    }

    func shutdown() async throws {}
}

/// The memory of this process, in KiB.
func residentKiB() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    return line?.split(whereSeparator: \.isWhitespace).dropLast().last.flatMap { Int($0) } ?? 0
}
