import Foundation

/// Where a command writes: data to one stream, everything else to the other.
struct Console: Sendable {
    /// A stream of text.
    struct Stream: Sendable {
        /// Whether a person reads it as it is written.
        let isTerminal: Bool
        /// Whether escape sequences for colours may be written to it.
        let usesColor: Bool
        private let write: @Sendable (String) -> Void

        /// Makes a stream.
        init(isTerminal: Bool = false, usesColor: Bool = false, write: @escaping @Sendable (String) -> Void) {
            self.isTerminal = isTerminal
            self.usesColor = usesColor
            self.write = write
        }

        /// Writes text as it is.
        func print(_ text: String, terminator: String = "\n") { write(text + terminator) }

        /// The text in a colour, where colours may be written.
        func styled(_ text: String, _ style: Style) -> String {
            usesColor ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
        }
    }

    /// A parameter of the escape sequence `SGR`.
    enum Style: String {
        case bold = "1"
        case dim = "2"
        case red = "1;31"
        case green = "1;32"
    }

    /// For data.
    let output: Stream
    /// For everything else.
    let messages: Stream

    /// The streams of the process.
    static let standard: Console = {
        let environment = ProcessInfo.processInfo.environment
        return Console(
            output: stream(.standardOutput, environment: environment), messages: stream(.standardError, environment: environment))
    }()

    private static func stream(_ file: FileHandle, environment: [String: String]) -> Stream {
        let isTerminal = isatty(file.fileDescriptor) == 1
        return Stream(isTerminal: isTerminal, usesColor: isTerminal && allowsColor(environment)) { text in
            // A reader that has gone away, such as `head`, is no reason to fail.
            try? file.write(contentsOf: Data(text.utf8))
        }
    }

    /// Whether the environment lets a terminal have colours: `NO_COLOR`, if it has any value, and a terminal that knows none forbid them.
    static func allowsColor(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Says what is going on, to a person who waits; the line is overwritten by the next and taken away by ``clearProgress()``.
    func progress(_ text: String) {
        guard messages.isTerminal else { return }
        messages.print("\r\u{1B}[K" + messages.styled(text + " …", .dim), terminator: "")
    }

    /// Takes the progress line away.
    func clearProgress() {
        guard messages.isTerminal else { return }
        messages.print("\r\u{1B}[K", terminator: "")
    }
}
