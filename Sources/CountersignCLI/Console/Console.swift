import Foundation
import Synchronization

/// Where a command writes: data to one stream, everything else to the other.
struct Console: Sendable {
    /// A stream of text.
    struct Stream: Sendable {
        /// Whether the user reads it as it is written.
        let isTerminal: Bool
        /// Whether escape sequences for colours may be written to it.
        let usesColor: Bool
        /// Whether a line can be taken back.
        let erases: Bool
        fileprivate let write: @Sendable ([UInt8]) throws -> Void

        /// Makes a stream.
        init(
            isTerminal: Bool = false, usesColor: Bool = false, erases: Bool? = nil,
            write: @escaping @Sendable ([UInt8]) throws -> Void
        ) {
            self.isTerminal = isTerminal
            self.erases = erases ?? isTerminal
            self.usesColor = usesColor
            self.write = write
        }

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
        case yellow = "1;33"
    }

    /// For data.
    let output: Stream
    /// For everything else.
    let messages: Stream
    private let shown = ShownProgress()

    init(output: Stream, messages: Stream) {
        self.output = output
        self.messages = messages
    }

    /// The streams of the process.
    static let standard: Console = {
        // A reader that has gone away is an error to look at, and no reason for the system to end the program.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        return Console(
            output: stream(STDOUT_FILENO, environment: environment), messages: stream(STDERR_FILENO, environment: environment))
    }()

    /// A stream to a file descriptor.
    static func stream(_ descriptor: Int32, environment: [String: String] = [:]) -> Stream {
        let isTerminal = isatty(descriptor) == 1
        return Stream(
            isTerminal: isTerminal, usesColor: isTerminal && allowsColor(environment),
            erases: isTerminal && environment["TERM"] != "dumb"
        ) { bytes in
            try DescriptorWriter.write(bytes, to: descriptor)
        }
    }

    /// Whether the environment lets a terminal have colours: `NO_COLOR`, if it has any value, and a terminal that knows none forbid them.
    static func allowsColor(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes data as it is.
    ///
    /// A reader that has gone away, such as `head`, has what it wanted: the command ends as it would have.
    ///
    /// - Throws: ``CommandExit/cannotCreate``, after a message, if it cannot be written.
    func print(_ text: String, terminator: String = "\n") throws { _ = try print(Array((text + terminator).utf8)) }

    /// The same of any bytes.
    ///
    /// - Returns: Whether there still is a reader.
    func print(_ bytes: [UInt8]) throws -> Bool {
        do {
            try output.write(bytes)
            return true
        } catch let error as POSIXError where error.code == .EPIPE {
            return false
        } catch {
            let reason = (error as? POSIXError).map { ": " + String(cString: strerror($0.code.rawValue)) } ?? ""
            clearProgress()
            report(problem: "the standard output cannot be written\(reason)")
            throw CommandExit.cannotCreate
        }
    }

    /// Writes a message as it is; one that cannot be written is given up.
    func message(_ text: String, terminator: String = "\n") { try? messages.write(Array((text + terminator).utf8)) }

    /// Writes what went wrong.
    func report(problem: String) { message(messages.styled("error:", .red) + " " + problem) }

    /// Says what is going on, to a user who waits; the line is overwritten by the next and taken away by ``clearProgress()``.
    func progress(_ text: String) {
        guard messages.isTerminal else { return }
        // Written before another can take it away.
        shown.text.withLock { shown in
            guard shown != text else { return }
            shown = text
            message(
                (messages.erases ? "\r\u{1B}[K" : "") + messages.styled(text + " …", .dim),
                terminator: messages.erases ? "" : "\n")
        }
    }

    /// Takes the progress line away.
    func clearProgress() {
        guard messages.erases else { return }
        shown.text.withLock { shown in
            if shown.take() != nil { message("\r\u{1B}[K", terminator: "") }
        }
    }
}

/// The progress that a terminal shows, which there is one of, whatever copies there are of a console.
private final class ShownProgress: Sendable {
    let text = Mutex<String?>(nil)
}
