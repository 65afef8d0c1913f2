import ArgumentParser
import Countersign

/// The error of a command with `--json`, which it writes to the standard output in place of its result.
struct FailureReport: Encodable {
    /// An error, as the texts on the standard error say it.
    struct Failure: Encodable {
        let message: String
        /// The remedy; `nil` if none is known.
        let help: String?
        /// The server's own words; `nil` if it has said none.
        let serverMessage: String?
        /// The exit status of the command.
        let exit: Int32

        init(_ message: String, help: String?, said words: ServerWords?, exit: ExitCode) {
            // As on the standard error: the message can contain text of a server.
            self.message = VisibleText.escaped(message)
            self.help = help.map(VisibleText.escaped)
            serverMessage = words?.text
            self.exit = exit.rawValue
        }
    }

    /// The version of the JSON format.
    let version = 1
    let error: Failure

    private enum CodingKeys: CodingKey { case version, error }
}

/// A server's own explanation of a refused login. It can contain personal data, so it is for the user of the command: no description
/// and no log contains it.
struct ServerWords {
    /// The number of characters that are shown.
    private static let maximumLength = 300

    /// One line, in which control characters and invisible characters are escaped.
    let text: String

    /// - Returns: `nil` for an error without such words.
    init?(of error: any Error) {
        let message: String? =
            switch error {
            case let error as CountersignError: error.serverMessage
            case let error as any OAuth2ServerErrorCarrying: error.serverError?.message
            default: nil
            }
        guard let message, !message.isEmpty else { return nil }
        self.init(message)
    }

    init(_ message: String) {
        let isLong = message.count > Self.maximumLength
        text = VisibleText.escaped(String(message.prefix(Self.maximumLength))) + (isLong ? "…" : "")
    }
}

extension Console {
    /// Writes an error and what to do, each on one line, and between them the server's words, marked as such.
    func report(problem: String, help: String?, said words: ServerWords? = nil) {
        report(problem: VisibleText.escaped(problem))
        if let words { message(messages.styled("the server says:", .bold) + " \"\(words.text)\"") }
        if let help { message(messages.styled("help:", .bold) + " " + VisibleText.escaped(help)) }
    }

    /// Writes a warning and what to do, each on one line.
    func warn(_ text: String, help: String? = nil) {
        message(messages.styled("warning:", .yellow) + " " + VisibleText.escaped(text))
        if let help { message(messages.styled("help:", .bold) + " " + VisibleText.escaped(help)) }
    }

    /// Writes an error to the standard output as JSON.
    ///
    /// - Throws: ``CommandExit/cannotCreate``, after a message, if that cannot be written.
    func print(_ failure: FailureReport.Failure) throws { try print(try JSONText.of(FailureReport(error: failure))) }
}
