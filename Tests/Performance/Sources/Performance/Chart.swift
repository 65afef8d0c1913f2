/// A bar chart of the figures: each bar's length is the client's rate relative to the bare client's. Legible in light and dark.
struct Chart {
    private let figures: [Figure]
    private let machine: Figures.Machine

    init(_ figures: Figures) {
        self.figures = figures.figures
        machine = figures.machine
    }

    func text() -> String {
        let (left, width, height) = (250, 400, 16)
        var y = 40
        var parts: [String] = []
        var last = ""
        for figure in figures {
            let title = figure.title
            if title != last {
                y += 14
                parts.append(#"<text x="0" y="\#(y)" class="title">\#(title)</text>"#)
                y += 8
                last = title
            }
            let length = Int((min(figure.ratio, 1.2) / 1.2 * Double(width)).rounded())
            let kind = figure.client.hasPrefix("SAPURLSession") || figure.client == "Session" ? "own" : "other"
            parts.append(#"<text x="0" y="\#(y + 12)">\#(figure.client)</text>"#)
            parts.append(#"<rect x="\#(left)" y="\#(y + 2)" width="\#(length)" height="\#(height - 4)" class="\#(kind)"/>"#)
            parts.append(#"<text x="\#(left + length + 6)" y="\#(y + 12)">\#(shown(figure.ratio))</text>"#)
            y += height
        }
        let total = left + width + 60
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(total) \(y + 12)" role="img" aria-labelledby="title">
            <title id="title">Requests per second, as a part of what async-http-client does by itself</title>
            <style>
            text { font: 12px system-ui, sans-serif; fill: #1d1d1f; }
            .title { font-weight: 600; }
            .own { fill: #0066cc; }
            .other { fill: #8e8e93; }
            @media (prefers-color-scheme: dark) { text { fill: #f5f5f7; } .own { fill: #2997ff; } }
            </style>
            <text x="0" y="14">Requests per second, as a part of what async-http-client does by itself</text>
            <text x="0" y="30">\(machine.model), \(machine.processors) processors</text>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }

    private func shown(_ ratio: Double) -> String { Performance.text(ratio, 2) }
}
