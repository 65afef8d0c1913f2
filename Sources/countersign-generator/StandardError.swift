import Foundation

/// Where the tool writes what it has to say; the argument parser would put a word before it that build tools do not expect.
enum StandardError {
    static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }

    /// Whether a user reads along.
    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether escape sequences for colours may be written (https://no-color.org).
    static var allowsColor: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }
}
