/// Assembles lines from the bytes of a terminal without line editing and echo.
///
/// A terminal's own line editing limits lines to 1,024 bytes on macOS and 4,096 on Linux, and the responses of some servers are
/// longer.
struct LineEditor: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The line is incomplete.
        case more
        case line(String)
        /// The user ends the input by Ctrl-D at the beginning of a line.
        case end
        /// The user interrupts the login by Ctrl-C.
        case interrupt
    }

    private enum Escape {
        case none
        /// After the escape character.
        case begun
        /// In a sequence that ends with a letter or symbol.
        case sequence
    }

    /// The maximum length of a line in bytes. Further bytes are discarded.
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

    /// Whether a byte belongs to an escape sequence, such as that of an arrow key or of bracketed paste.
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

    /// Removes the last character with all its bytes.
    private mutating func removeLast() {
        while let byte = bytes.popLast(), byte & 0b1100_0000 == 0b1000_0000 {}
    }
}
