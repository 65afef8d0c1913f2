import ArgumentParser
import Foundation

/// Measures how the cost of one unit of work grows with the size of a session, a cookie jar, a store or a landscape.
struct GrowthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Processor time against observers, methods, cookies, tokens and more: exponents.",
        discussion: """
            All servers are in memory. Each curve has one unit of work, which is done for several sizes on a geometric scale. The exponent \
            is that of a power of the size, fitted to the upper four sizes by least squares of the logarithms: with 0 the cost is \
            constant, with 1 it is proportional to the size. Landscapes are read by the generator that was built for the specs of \
            this package.
            """)

    @Option(help: "The number of rounds for each size; the result is their median.")
    var rounds = 5

    @Option(help: "The minimum duration of a round, in seconds of processor time.")
    var seconds = 0.02

    @Option(help: "Only curves whose name or work contains this text.")
    var only: String?

    @Flag(help: "Fail if an exponent is above its target.")
    var check = false

    @Flag(help: "Write the result as JSON.")
    var json = false

    @Option(help: ArgumentHelp("Draw the result into this file.", valueName: "file.svg"))
    var svg: String?

    func validate() throws {
        guard rounds > 0, seconds > 0 else { throw ValidationError("--rounds and --seconds must be greater than 0.") }
    }

    func run() async throws {
        var growth = Growth(machine: .this, rounds: rounds)
        for subject in GrowthSubject.all where only.map({ "\(subject.name): \(subject.work)".contains($0) }) ?? true {
            let curve = try await measure(subject)
            growth.curves.append(curve)
            FileHandle.standardError.write(Data("\(curve.name): \(curve.work): \(text(curve.exponent, 2))\n".utf8))
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(growth), as: UTF8.self))
        } else {
            for line in growth.lines() { print(line) }
        }
        if let svg { try GrowthChart(growth).text().write(toFile: svg, atomically: true, encoding: .utf8) }
        let steep = growth.curves.filter { !$0.isMet }
        guard check, !steep.isEmpty else { return }
        for curve in steep {
            let exponents = "the exponent is \(text(curve.exponent, 2)), above \(text(curve.target, 2))"
            FileHandle.standardError.write(Data("\(curve.name): \(curve.work): \(exponents)\n".utf8))
        }
        throw ExitCode.failure
    }

    private func measure(_ subject: GrowthSubject) async throws -> Growth.Curve {
        var points: [Growth.Point] = []
        for size in subject.sizes {
            let work = try await subject.prepare(size)
            do {
                points.append(Growth.Point(size: size, microseconds: try await measure(work) * 1e6))
            } catch {
                await work.end()
                throw error
            }
            await work.end()
        }
        return Growth.Curve(name: subject.name, work: subject.work, points: points)
    }

    /// - Returns: The median of the rounds, in seconds of processor time for each unit.
    private func measure(_ work: GrowthWork) async throws -> Double {
        // The first call is a warm-up, because some work is done only once.
        var units = work.units ?? 1
        var time = try await work.timed(units)
        while work.units == nil, time < seconds {
            units = time > 0 ? min(units * 10, max(units * 2, Int(Double(units) * seconds / time * 1.1))) : units * 10
            time = try await work.timed(units)
        }
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await work.timed(units) / Double(units)) }
        return median(times)
    }
}

/// The subject of one curve.
struct GrowthSubject: Sendable {
    /// The name of the elements whose number grows.
    let name: String
    /// One unit of the work.
    let work: String
    /// The numbers of elements, on a geometric scale.
    let sizes: [Int]
    /// Makes the given number of elements.
    let prepare: @Sendable (Int) async throws -> GrowthWork
}

/// Work that is repeated at one size.
struct GrowthWork: Sendable {
    /// The number of units in a round; `nil` for as many as fill the minimum time of a round.
    var units: Int?
    /// The clock, in seconds.
    var clock: @Sendable () -> Double = processorTime
    /// Does one unit.
    let unit: @Sendable () async throws -> Void
    /// Removes the resources of the work.
    var end: @Sendable () async -> Void = {}

    /// Does the given number of units.
    ///
    /// - Returns: Seconds of processor time.
    fileprivate func timed(_ units: Int) async throws -> Double {
        let start = clock()
        for _ in 0..<units { try await unit() }
        return clock() - start
    }
}

/// All curves of a run.
struct Growth: Encodable, Sendable {
    /// The cost of a unit of work at one size.
    struct Point: Encodable, Sendable {
        let size: Int
        /// Processor time of one unit: the median of the rounds.
        let microseconds: Double
    }

    /// The growth of the cost.
    struct Curve: Encodable, Sendable {
        let name: String
        let work: String
        let points: [Point]
        /// The power of the size that the cost is proportional to.
        let exponent: Double
        /// The exponent of the upper two sizes alone: constant costs weigh less in it, and disturbances of the measurement more.
        let lastExponent: Double
        /// The upper limit of the exponent.
        let target = 1.1

        var isMet: Bool { exponent <= target }

        init(name: String, work: String, points: [Point]) {
            self.name = name
            self.work = work
            self.points = points
            exponent = Self.exponent(of: points.suffix(4))
            lastExponent = Self.exponent(of: points.suffix(2))
        }

        /// The slope of the line through the logarithms, fitted by least squares.
        private static func exponent(of points: some Collection<Point>) -> Double {
            let pairs = points.map { (x: log(Double($0.size)), y: log($0.microseconds)) }
            let count = Double(pairs.count)
            let (meanX, meanY) = (pairs.reduce(0) { $0 + $1.x } / count, pairs.reduce(0) { $0 + $1.y } / count)
            let covariance = pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
            let variance = pairs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            return covariance / variance
        }
    }

    let machine: Figures.Machine
    let rounds: Int
    var curves: [Curve] = []

    /// A line for each curve.
    func lines() -> [String] {
        let width = (curves.map { $0.name.count + $0.work.count + 2 }.max() ?? 0) + 2
        func line(_ name: String, _ cells: [String]) -> String {
            name + String(repeating: " ", count: max(1, width - name.count)) + cells.joined(separator: "  ")
        }
        let head = [
            "\(machine.model), \(machine.processors) processors, \(machine.system)",
            "medians of \(rounds) rounds; exponents of the upper four sizes, and of the last two", "",
            line("curve", ["exponent", "target", "last", "µs of processor time each"]),
        ]
        return head
            + curves.map { curve in
                line(
                    "\(curve.name): \(curve.work)",
                    [
                        text(curve.exponent, 2).leftPadded(to: 8), "\(text(curve.target, 2))\(curve.isMet ? "  " : " !")",
                        text(curve.lastExponent, 2).leftPadded(to: 4),
                        curve.points.map { "\($0.size): \(Self.shown($0.microseconds))" }.joined(separator: "  "),
                    ])
            }
    }

    private static func shown(_ microseconds: Double) -> String { text(microseconds, microseconds < 100 ? 1 : 0) }
}

extension String {
    /// The string padded with spaces on the left.
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
