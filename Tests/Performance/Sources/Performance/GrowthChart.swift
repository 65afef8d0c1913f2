import Foundation

/// A picture of the curves: one plot for each, with logarithmic axes of the same scale, so that linear growth has the same slope
/// in all. Legible in light and dark.
struct GrowthChart {
    private let growth: Growth

    private let columns = 3
    private let fieldWidth = 320
    private let fieldHeight = 265
    /// The length of a power of ten on both axes.
    private let decade = 46.0
    private let left = 50.0
    private let top = 44.0
    /// The number of powers of ten on an axis.
    private let decades = 4

    init(_ growth: Growth) { self.growth = growth }

    func text() -> String {
        let rows = (growth.curves.count + columns - 1) / columns
        let (width, height) = (columns * fieldWidth, 50 + rows * fieldHeight)
        let title = "Processor time of a unit of work against what there is"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title">
            <title id="title">\(title)</title>
            <style>
            text { font: 11px system-ui, sans-serif; fill: #1d1d1f; }
            .title { font-weight: 600; }
            .tick { fill: #6e6e73; }
            .end { text-anchor: end; }
            .middle { text-anchor: middle; }
            .grid { stroke: #8e8e93; stroke-opacity: 0.3; }
            .proportion { stroke: #8e8e93; stroke-dasharray: 4 3; }
            .own { stroke: #0066cc; fill: none; stroke-width: 1.5; }
            .point { fill: #0066cc; }
            @media (prefers-color-scheme: dark) {
            text { fill: #f5f5f7; } .tick { fill: #a1a1a6; } .own { stroke: #2997ff; } .point { fill: #2997ff; }
            }
            </style>
            <text x="0" y="14" class="title">\(title)</text>
            <text x="0" y="30">\(growth.machine.model), \(growth.machine.processors) processors; dashed: in proportion</text>
            \(growth.curves.enumerated().map(field).joined(separator: "\n"))
            </svg>

            """
    }

    private func field(_ number: Int, of curve: Growth.Curve) -> String {
        let origin = (x: number % columns * fieldWidth, y: 50 + number / columns * fieldHeight)
        let least = curve.points.map(\.microseconds).min() ?? 1
        let bottom = Int(log10(least).rounded(.down))
        let size = decade * Double(decades)
        func x(_ size: Double) -> Double { left + log10(size) * decade }
        func y(_ microseconds: Double) -> Double { top + size - (log10(microseconds) - Double(bottom)) * decade }
        var parts = [
            #"<g transform="translate(\#(origin.x) \#(origin.y))">"#,
            #"<text x="0" y="14" class="title">\#(curve.name)</text>"#,
            #"<text x="0" y="30">\#(curve.work): exponent \#(Performance.text(curve.exponent, 2))</text>"#,
        ]
        for power in 0...decades {
            let (across, up) = (left + Double(power) * decade, top + size - Double(power) * decade)
            parts.append(line((across, top), (across, top + size), "grid"))
            parts.append(line((left, up), (left + size, up), "grid"))
            parts.append(label(across, top + size + 14, "tick middle", Self.number(power)))
            parts.append(label(left - 6, up + 4, "tick end", Self.time(bottom + power)))
        }
        if let last = curve.points.last {
            // The line of linear growth, from its entry into the plot to the last point.
            let first = max(1, Double(last.size) * pow(10, Double(bottom)) / last.microseconds)
            let start = last.microseconds * first / Double(last.size)
            parts.append(line((x(first), y(start)), (x(Double(last.size)), y(last.microseconds)), "proportion"))
        }
        let places = curve.points.map { (x(Double($0.size)), y($0.microseconds)) }
        let path = places.map { "\(Self.shown($0.0)),\(Self.shown($0.1))" }.joined(separator: " ")
        parts.append(#"<polyline points="\#(path)" class="own"/>"#)
        parts += places.map { #"<circle cx="\#(Self.shown($0.0))" cy="\#(Self.shown($0.1))" r="2.5" class="point"/>"# }
        return (parts + ["</g>"]).joined(separator: "\n")
    }

    private func line(_ from: (Double, Double), _ to: (Double, Double), _ kind: String) -> String {
        let ends = [from.0, from.1, to.0, to.1].map(Self.shown)
        return #"<line x1="\#(ends[0])" y1="\#(ends[1])" x2="\#(ends[2])" y2="\#(ends[3])" class="\#(kind)"/>"#
    }

    private func label(_ x: Double, _ y: Double, _ kind: String, _ text: String) -> String {
        #"<text x="\#(Self.shown(x))" y="\#(Self.shown(y))" class="\#(kind)">\#(text)</text>"#
    }

    private static func shown(_ place: Double) -> String { Performance.text(place, 1) }

    /// The label of a power of ten.
    private static func number(_ power: Int) -> String { ["1", "10", "100", "1,000", "10,000"][power] }

    /// The label of a power of ten of microseconds.
    private static func time(_ power: Int) -> String {
        let units = [(6, "s"), (3, "ms"), (0, "µs"), (-3, "ns")]
        guard let (base, unit) = units.first(where: { power >= $0.0 }) else { return "10^\(power) µs" }
        return "1" + String(repeating: "0", count: power - base) + " " + unit
    }
}
