import Foundation

/// A program that is a text, such as one for the shell.
package enum Script {
    struct NotWritten: Error { let path: String }

    /// Writes one, to be run.
    ///
    /// Another process writes it. A child that this process forks while it has a file open for writing has it open, too, until it becomes its own
    /// program; and the system runs no file that is open for writing (`ETXTBSY`).
    package static func write(_ text: String, to path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", #"printf %s "$2" > "$1"; chmod 755 "$1""#, "sh", path, text]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotWritten(path: path) }
    }
}
