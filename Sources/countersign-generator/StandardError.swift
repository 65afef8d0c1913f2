import Foundation

/// The standard error stream. It is written directly, because the argument parser would add a prefix that build tools do not
/// expect.
enum StandardError {
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Whether standard error is a terminal.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether escape sequences for colours may be written (https://no-color.org).
    static var allowsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
