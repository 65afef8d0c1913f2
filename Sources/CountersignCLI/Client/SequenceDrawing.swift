import CountersignGenerator

/// The drawing of a flow in a terminal.
struct SequenceDrawing {
    private let flow: SequenceFlow

    init(_ flow: SequenceFlow) { self.flow = flow }

    /// Returns the drawing, in 80 columns for up to five participants.
    func lines() -> [String] {
        let width = 76 / max(flow.participants.count, 1)
        let centres = flow.participants.indices.map { 2 + $0 * width + width / 2 }
        var head = [Character](repeating: " ", count: 80)
        for (centre, participant) in zip(centres, flow.participants) {
            Self.write(participant.rawValue, centredAt: centre, into: &head)
        }
        var lines = [String(head).trimmedEnd]
        for message in flow.messages {
            guard let from = flow.participants.firstIndex(of: message.from), let to = flow.participants.firstIndex(of: message.to)
            else { continue }
            var row = [Character](repeating: " ", count: 80)
            for centre in centres { row[centre] = "|" }
            let (low, high) = (min(centres[from], centres[to]), max(centres[from], centres[to]))
            for column in (low + 1)..<high { row[column] = message.isReply ? (column % 2 == 0 ? "-" : " ") : "-" }
            row[to > from ? high - 1 : low + 1] = to > from ? ">" : "<"
            Self.write(" \(message.text)\(message.isConditional ? "?" : "") ", centredAt: (low + high) / 2, into: &row)
            lines.append(String(row).trimmedEnd)
        }
        return lines
    }

    private static func write(_ text: String, centredAt centre: Int, into row: inout [Character]) {
        let start = max(0, centre - text.count / 2)
        for (offset, character) in text.enumerated() where start + offset < row.count { row[start + offset] = character }
    }
}

extension String {
    fileprivate var trimmedEnd: String { String(reversed().drop { $0 == " " }.reversed()) }
}
