#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A terminal with a user, to which text is written and from which lines are read.
///
/// ``standard`` is the process's controlling terminal. Other terminals consist of two functions:
///
/// ```swift
/// let terminal = Terminal(columns: 100, environment: ["LANG": "C.UTF-8"]) { text in
///     console.write(text)
/// } readLine: {
///     try await console.nextLine()
/// }
/// ```
///
/// Copies refer to the same terminal. Simultaneous logins use it one after another, first come, first served.
public struct Terminal: Sendable {
    /// Reads the next line, without its line break; `nil` if the user ends the input. It throws `CancellationError` if its task is
    /// cancelled, and does not block the calling thread.
    public typealias LineReader = @Sendable () async throws -> String?

    let width: @Sendable () -> Int?
    let environment: [String: String]
    let write: @Sendable (String) -> Void
    /// Reads the next line. `ask` is called to show the question when the echo is disabled.
    let read: @Sendable (_ ask: @escaping @Sendable () -> Void) async throws -> String?
    /// The queue of logins that use the terminal.
    let turns: TerminalTurns

    /// Creates a terminal.
    ///
    /// - Parameters:
    ///   - columns: The number of characters per line; `nil` if unknown.
    ///   - environment: The environment variables of the terminal: `LC_ALL`, `LC_CTYPE` and `LANG` for UTF-8, `NO_COLOR` and `TERM`
    ///     for colours, and `SSH_CONNECTION` for a remote terminal.
    ///   - write: Writes text unchanged. The text may contain a login URL; never log it.
    ///   - readLine: Reads the next line. The line may be the response of a login, which should not be echoed.
    public init(
        columns: Int? = nil, environment: [String: String] = [:], write: @escaping @Sendable (String) -> Void,
        readLine: @escaping LineReader
    ) {
        self.init(width: { columns }, environment: environment, turns: TerminalTurns(), write: write) { ask in
            ask()
            return try await readLine()
        }
    }

    init(
        width: @escaping @Sendable () -> Int?, environment: [String: String], turns: TerminalTurns,
        write: @escaping @Sendable (String) -> Void,
        read: @escaping @Sendable (_ ask: @escaping @Sendable () -> Void) async throws -> String?
    ) {
        self.width = width
        self.environment = environment
        self.turns = turns
        self.write = write
        self.read = read
    }

    /// Whether the terminal supports UTF-8.
    var isUnicode: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.map { environment[$0, default: ""] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        return encoding.contains("utf8") && environment["TERM"] != "dumb"
    }

    /// Whether the terminal supports escape sequences for colours.
    var usesColor: Bool { environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb" }
}

extension Terminal {
    /// Returns the same terminal with a function that is called before each text is written.
    package func beforeWriting(_ prepare: @escaping @Sendable () -> Void) -> Terminal {
        Terminal(
            width: width, environment: environment, turns: turns,
            write: { [write] text in
                prepare()
                write(text)
            }, read: read)
    }

    /// Writes a paragraph.
    package func show(_ text: String) { write(paragraph: text) }

    /// Asks for a line; `nil` if the user ends the input.
    ///
    /// - Parameter isHidden: Whether the input stays hidden afterwards. During input, nothing is echoed in any case.
    package func ask(_ question: String, isHidden: Bool) async throws -> String? {
        try await turns.take(until: { .distantFuture }, whileWaiting: { _ in }) {
            let line = try await read { write(question) }
            write((isHidden ? "" : line ?? "") + "\n")
            return line
        }
    }

    /// Writes sentences wrapped at spaces, followed by a line break.
    func write(paragraph text: String) {
        let width = min(width() ?? 80, 100)
        var lines = ""
        var column = 0
        for word in text.split(whereSeparator: \.isWhitespace) {
            if column > 0, column + 1 + word.count > width {
                lines += "\n"
                column = 0
            }
            lines += (column == 0 ? "" : " ") + word
            column += (column == 0 ? 0 : 1) + word.count
        }
        write(lines + "\n")
    }

    /// Writes a text as a QR code if the code fits the width and the terminal supports UTF-8; otherwise nothing.
    func writeCode(of text: String) {
        guard isUnicode, let width = width(), let code = QRCode(Array(text.utf8)), code.columns <= width else { return }
        write(code.lines(usesColor: usesColor).joined(separator: "\n") + "\n\n")
    }
}
