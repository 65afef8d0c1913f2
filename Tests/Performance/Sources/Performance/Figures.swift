import Foundation

/// The result of one client, also relative to the bare client.
struct Figure: Encodable, Sendable {
    let work: String
    let inFlight: Int
    let client: String
    /// Requests per second: the median of the rounds.
    let rate: Double
    /// The difference of the best and the worst round, relative to the median.
    let spread: Double
    /// The rate relative to the bare client's.
    let ratio: Double
    /// The rate relative to that of the bare client with conversion to Foundation's types; `nil` for clients with other types.
    let ratioInItsTypes: Double?
    /// Processor time for each request, as a multiple of the bare client's.
    let processor: Double
    /// The least value of ``ratioInItsTypes``, or of ``ratio`` if that is `nil`; `nil` without a target.
    let target: Double?

    /// The name of the work in a table.
    var title: String { Workload.title(work, inFlight) }

    var isMet: Bool { target.map { (ratioInItsTypes ?? ratio) >= $0 } ?? true }
}

/// The figures of a run.
struct Figures: Encodable, Sendable {
    /// The machine on which the figures were measured.
    struct Machine: Encodable, Sendable {
        let system: String
        let processors: Int
        let model: String

        static var this: Machine {
            let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
            let model = information.split(separator: "\n").first { $0.hasPrefix("model name") }
                .flatMap { $0.split(separator: ":").last }
            return Machine(
                system: ProcessInfo.processInfo.operatingSystemVersionString, processors: ProcessInfo.processInfo.processorCount,
                model: model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown")
        }
    }

    let machine: Machine
    let rounds: Int
    let secondsPerRound: Double
    var figures: [Figure] = []

    /// Returns the lines of a table, with those of one work together.
    func lines() -> [String] {
        let columns = ["client", "of bare", "in types", "target", "requests/s", "spread", "processor"]
        let widths = [31, 8, 9, 8, 11, 8, 10]
        func line(_ cells: [String]) -> String {
            zip(cells, widths).enumerated().map { index, pair in
                let (cell, width) = pair
                let padding = String(repeating: " ", count: max(1, width - cell.count))
                return index == 0 ? cell + padding : padding + cell
            }.joined()
        }
        var lines = ["\(machine.model), \(machine.processors) processors, \(machine.system)"]
        lines.append("medians of \(rounds) interleaved rounds of \(text(secondsPerRound, 1)) s")
        var last = ""
        for figure in figures {
            let title = figure.title
            if title != last { lines += ["", title, line(columns)] }
            last = title
            let target = figure.target.map { "\(text($0, 2))\(figure.isMet ? "" : " !")" } ?? ""
            lines.append(
                line([
                    figure.client, text(figure.ratio, 2), figure.ratioInItsTypes.map { text($0, 2) } ?? "", target,
                    "\(Int(figure.rate.rounded()))", text(figure.spread, 2),
                    text(figure.processor, 2),
                ]))
        }
        return lines
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
