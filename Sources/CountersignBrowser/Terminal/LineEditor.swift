/// Makes lines of the bytes that a terminal sends while it shows none of them.
///
/// A terminal that edits lines itself cuts them off, at 1,024 bytes on macOS and at 4,096 on Linux, and the answers of some servers are longer.
struct LineEditor: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The line goes on.
        case more
        case line(String)
        /// The user ends the input, by Ctrl-D where a line begins.
        case end
        /// The user ends the input, and whatever asks for it, by Ctrl-C.
        case interrupt
    }

    private enum Escape {
        case none
        /// After the escape character.
        case begun
        /// Within a sequence that ends with a letter.
        case sequence
    }

    /// The most bytes of a line that are kept.
    private let limit: Int
    private var bytes: [UInt8] = []
    private var escape = Escape.none

    init(limit: Int) { self.limit = limit }

    mutating func take(_ byte: UInt8) -> Outcome {
        guard !isEscaped(byte) else { return .more }
        switch byte {
        case 0x0A, 0x0D: return .line(String(decoding: bytes, as: UTF8.self))
        case 0x03: return .interrupt
        case 0x04: return bytes.isEmpty ? .end : .more
        case 0x08, 0x7F: removeLast()
        case 0x15: bytes = []
        case 0x1B: escape = .begun
        case ..<0x20: break
        default: if bytes.count < limit { bytes.append(byte) }
        }
        return .more
    }

    /// Whether a byte belongs to a sequence such as that of an arrow key, or of the beginning of what is pasted.
    private mutating func isEscaped(_ byte: UInt8) -> Bool {
        switch escape {
        case .none: return false
        case .begun:
            guard byte >= 0x20 else {
                escape = .none
                return false
            }
            escape = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .sequence : .none
        case .sequence:
            guard byte >= 0x20 else {
                escape = .none
                return false
            }
            if byte >= 0x40 { escape = .none }
        }
        return true
    }

    /// Removes the last character, all bytes of it.
    private mutating func removeLast() {
        while let byte = bytes.popLast(), byte & 0b1100_0000 == 0b1000_0000 {}
    }
}
