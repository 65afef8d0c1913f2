import Foundation

/// A program whose source is a text, such as a shell script.
package enum Script {
    struct NotWritten: Error { let path: String }

    /// Writes an executable script.
    ///
    /// Another process writes it. If this process had the file open for writing, a child that it forks would have it open, too,
    /// until the child executes its program, and the system executes no file that is open for writing (`ETXTBSY`).
    package static func write(_ text: String, to path: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-ec", #"printf %s "$2" > "$1"; chmod 755 "$1""#, "sh", path, text]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw NotWritten(path: path) }
    }
}
