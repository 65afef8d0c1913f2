extension SequenceFlow {
    /// Returns the flow as a sequence diagram in SVG.
    ///
    /// The same picture suits light and dark pages: it draws its own background, and uses dark colours if the reader's system
    /// prefers them. It is as wide as a page's column, so that its text has the size of the page's text.
    ///
    /// - Parameters:
    ///   - title: The text for readers who do not see the picture.
    ///   - marker: The comment that names its source.
    package func svg(titled title: String, marker: String) -> String {
        let layout = Layout(participants: participants)
        let height = Layout.top + messages.count * Layout.step + 24
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Layout.width) \#(height)" width="\#(Layout.width)" height="\#(height)" role="img" aria-label="\#(title.xml)">"#,
            marker, "<title>\(title.xml)</title>",
            Self.style,
            #"<rect class="ground" x="0.5" y="0.5" width="\#(Layout.width - 1)" height="\#(height - 1)" rx="8"/>"#,
        ]
        for participant in participants {
            let x = layout.centre(of: participant)
            let width = participant.rawValue.count * 8 + 20
            lines.append(#"<line class="life" x1="\#(x)" y1="44" x2="\#(x)" y2="\#(height - 16)"/>"#)
            lines.append(#"<rect class="head" x="\#(x - width / 2)" y="16" width="\#(width)" height="28" rx="5"/>"#)
            lines.append(#"<text class="name" x="\#(x)" y="35">\#(participant.rawValue.xml)</text>"#)
        }
        for (index, message) in messages.enumerated() {
            lines += Self.arrow(message, y: Layout.top + index * Layout.step, in: layout)
        }
        return (lines + ["</svg>", ""]).joined(separator: "\n")
    }

    /// The positions of the elements, in pixels.
    private struct Layout {
        static let width = 760
        static let top = 78
        static let step = 38
        let participants: [Participant]

        func centre(of participant: Participant) -> Int {
            let column = Self.width / max(participants.count, 1)
            return (participants.firstIndex(of: participant) ?? 0) * column + column / 2
        }
    }

    private static let style = """
        <style>
        .ground { fill: #ffffff; stroke: #d2d2d7; }
        .head { fill: #eef3fb; stroke: #6b7fa3; }
        .life { stroke: #b4b4bb; stroke-dasharray: 2 3; }
        .arrow { stroke: #1d4f9c; stroke-width: 1.5; fill: none; }
        .reply { stroke-dasharray: 6 4; }
        .tip { fill: #1d4f9c; }
        text { font: 13px system-ui, sans-serif; fill: #1d1d1f; text-anchor: middle; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
        .name { font-weight: 600; stroke: none; }
        .perhaps { font-style: italic; }
        @media (prefers-color-scheme: dark) {
        .ground { fill: #1c1c1e; stroke: #48484c; }
        .head { fill: #26324a; stroke: #7d93bd; }
        .life { stroke: #6b6b70; }
        .arrow { stroke: #8ab4f8; }
        .tip { fill: #8ab4f8; }
        text { fill: #f5f5f7; stroke: #1c1c1e; }
        }
        </style>
        """

    private static func arrow(_ message: Message, y: Int, in layout: Layout) -> [String] {
        let (from, to) = (layout.centre(of: message.from), layout.centre(of: message.to))
        let direction = to > from ? 1 : -1
        let tip = to - direction * 2
        let text = message.isConditional ? "[\(message.detail)]" : message.detail
        // A text is centred on its arrow, but moved inwards if it would exceed the edge of the picture.
        let half = text.count * 7 / 2
        let middle = min(max((from + to) / 2, half + 10), Layout.width - half - 10)
        return [
            #"<line class="arrow\#(message.isReply ? " reply" : "")" x1="\#(from)" y1="\#(y)" x2="\#(tip - direction * 7)" y2="\#(y)"/>"#,
            #"<polygon class="tip" points="\#(tip),\#(y) \#(tip - direction * 9),\#(y - 4) \#(tip - direction * 9),\#(y + 4)"/>"#,
            #"<text\#(message.isConditional ? #" class="perhaps""# : "") x="\#(middle)" y="\#(y - 7)">\#(shortened(text).xml)</text>"#,
        ]
    }

    /// Returns the text, truncated to the width of the picture.
    private static func shortened(_ text: String) -> String { text.count <= 96 ? text : "\(text.prefix(95))…" }
}

extension String {
    /// The text escaped for XML, without characters that XML does not allow.
    fileprivate var xml: String {
        unicodeScalars.filter { $0.value >= 0x20 }.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
