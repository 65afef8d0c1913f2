import Foundation
import Synchronization

/// The work of a client: one kind of request, with a number of requests in flight.
struct Workload: Sendable, Hashable {
    enum Kind: String, Sendable {
        case get, post, drain
    }

    let name: String
    let version: LoopbackServer.Version
    let kind: Kind
    let path: String
    /// The size of a request's or response's body in bytes.
    let size: Int
    let inFlight: Int

    /// The name of the work in a table.
    var title: String { Self.title(name, inFlight) }

    static func title(_ name: String, _ inFlight: Int) -> String { "\(name), \(inFlight) in flight" }

    /// Makes work with small responses.
    static func small(_ version: LoopbackServer.Version, _ inFlight: Int) -> Workload {
        Workload(
            name: "small answers, \(version.rawValue)", version: version, kind: .get, path: "small",
            size: LoopbackServer.smallAnswer.utf8.count, inFlight: inFlight)
    }

    /// Makes work with a body of the given size in one direction.
    private static func body(_ name: String, _ kind: Kind, _ path: String, _ size: Int, _ inFlight: Int) -> Workload {
        Workload(name: name, version: .http1, kind: kind, path: path, size: size, inFlight: inFlight)
    }

    /// All workloads.
    static let all: [Workload] = {
        var all: [Workload] = []
        for version in LoopbackServer.Version.allCases { all += [1, 16, 64, 256].map { small(version, $0) } }
        all += [1, 16, 64].map { body("1 MiB down", .get, "1m", 1 << 20, $0) }
        all += [1, 16].map { body("1 MiB up", .post, "taken", 1 << 20, $0) }
        all += [body("64 MiB down", .get, "64m", 64 << 20, 1), body("64 MiB up", .post, "taken", 64 << 20, 1)]
        return all
    }()

    /// Does the work for a time.
    ///
    /// - Returns: Requests per second, and seconds of processor time per request.
    func run(
        _ client: any Contender, at server: LoopbackServer, for time: Duration
    ) async throws -> (rate: Double, processor: Double) {
        let start = ContinuousClock.now
        let before = processorTime()
        let count = try await run(client, at: server.url(path, over: version)) { _ in ContinuousClock.now - start < time }
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        return (Double(count) / elapsed, (processorTime() - before) / Double(count))
    }

    /// Sends requests, each to an address of its own, while the closure returns `true` for their numbers.
    ///
    /// - Returns: The number of requests.
    @discardableResult func run(
        _ client: any Contender, at address: String, while goesOn: @escaping @Sendable (Int) -> Bool
    ) async throws -> Int {
        let numbers = Numbers()
        let bytes = kind == .post ? Data(repeating: 0x2A, count: size) : Data()
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<inFlight {
                group.addTask { [kind, size] in
                    var done = 0
                    while true {
                        let number = numbers.next()
                        guard goesOn(number) else { return done }
                        let url = "\(address)?number=\(number)"
                        switch kind {
                        case .get:
                            let count = try await client.get(url)
                            guard count == size else { throw PerformanceError("\(count) bytes arrived") }
                        case .drain: _ = try await client.drain(url)
                        case .post: try await client.post(bytes, to: url)
                        }
                        done += 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
    }
}

/// Counts requests from 0.
private final class Numbers: Sendable {
    private let value = Atomic(0)

    func next() -> Int { value.add(1, ordering: .relaxed).oldValue }
}

/// The processor time of this process, in seconds.
func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
