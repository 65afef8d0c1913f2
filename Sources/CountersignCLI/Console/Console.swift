import Foundation
import Synchronization

/// The output of a command: data goes to one stream, everything else to the other.
struct Console: Sendable {
    /// A stream of text.
    struct Stream: Sendable {
        /// Whether the stream is a terminal.
        let isTerminal: Bool
        /// Whether escape sequences for colours may be written to it.
        let usesColor: Bool
        /// Whether a line can be erased.
        let erases: Bool
        fileprivate let write: @Sendable ([UInt8]) throws -> Void

        /// Creates a stream.
        init(
            isTerminal: Bool = false, usesColor: Bool = false, erases: Bool? = nil,
            write: @escaping @Sendable ([UInt8]) throws -> Void
        ) {
            self.isTerminal = isTerminal
            self.erases = erases ?? isTerminal
            self.usesColor = usesColor
            self.write = write
        }

        /// Returns the text in a style, if colours may be written.
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

    /// The stream for data.
    let output: Stream
    /// The stream for everything else.
    let messages: Stream
    private let shown = ShownProgress()

    init(output: Stream, messages: Stream) {
        self.output = output
        self.messages = messages
    }

    /// The streams of the process.
    static let standard: Console = {
        // If the reader has closed the pipe, writing must fail with an error instead of ending the process.
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        return Console(
            output: stream(STDOUT_FILENO, environment: environment), messages: stream(STDERR_FILENO, environment: environment))
    }()

    /// Returns a stream that writes to a file descriptor.
    static func stream(_ descriptor: Int32, environment: [String: String] = [:]) -> Stream {
        let isTerminal = isatty(descriptor) == 1
        return Stream(
            isTerminal: isTerminal, usesColor: isTerminal && allowsColor(environment),
            erases: isTerminal && environment["TERM"] != "dumb"
        ) { bytes in
            try DescriptorWriter.write(bytes, to: descriptor)
        }
    }

    /// Whether the environment allows colours in a terminal. A non-empty `NO_COLOR` and the terminal type `dumb` forbid them.
    static func allowsColor(_ environment: [String: String]) -> Bool {
        environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes data as it is.
    ///
    /// If the reader has closed the pipe, as `head` does, the output is discarded and the command ends normally.
    ///
    /// - Throws: ``CommandExit/cannotCreate``, after a message, if the data cannot be written.
    func print(_ text: String, terminator: String = "\n") throws { _ = try print(Array((text + terminator).utf8)) }

    /// Writes bytes as they are.
    ///
    /// - Returns: `false` if the reader has closed the pipe.
    func print(_ bytes: [UInt8]) throws -> Bool {
        do {
            try output.write(bytes)
            return true
        } catch let error as POSIXError where error.code == .EPIPE {
            return false
        } catch {
            clearProgress()
            report(problem: Self.problem(writing: error))
            throw CommandExit.cannotCreate
        }
    }

    /// Returns the words for an error of the standard output.
    private static func problem(writing error: any Error) -> String {
        switch (error as? POSIXError)?.code {
        case .EBADF: "the standard output is closed, so that the result cannot be written"
        case let code?: "the standard output cannot be written: \(String(cString: strerror(code.rawValue)))"
        case nil: "the standard output cannot be written"
        }
    }

    /// Writes a message as it is. An error of the stream is ignored.
    func message(_ text: String, terminator: String = "\n") { try? messages.write(Array((text + terminator).utf8)) }

    /// Writes an error message.
    func report(problem: String) { message(messages.styled("error:", .red) + " " + problem) }

    /// Shows the current activity in a terminal. The next progress line overwrites it, and ``clearProgress()`` removes it.
    func progress(_ text: String) {
        guard messages.isTerminal else { return }
        // The line is written while the lock is held, so that another task cannot remove it before.
        shown.text.withLock { shown in
            guard shown != text else { return }
            shown = text
            message(
                (messages.erases ? "\r\u{1B}[K" : "") + messages.styled(text + " …", .dim),
                terminator: messages.erases ? "" : "\n")
        }
    }

    /// Removes the progress line.
    func clearProgress() {
        guard messages.erases else { return }
        shown.text.withLock { shown in
            if shown.take() != nil { message("\r\u{1B}[K", terminator: "") }
        }
    }
}

/// The progress line in a terminal, which all copies of a console share.
private final class ShownProgress: Sendable {
    let text = Mutex<String?>(nil)
}
