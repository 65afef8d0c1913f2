package import Foundation

/// The folder that generated files are written to.
package struct OutputFolder: Sendable {
    private let url: URL

    /// Creates a reference to a folder. The folder is created when the first file is written.
    package init(_ url: URL) {
        self.url = url
    }

    /// Writes the files that differ from the existing ones, each atomically. Removes nothing.
    ///
    /// An unchanged file keeps its modification date, so that a build does not recompile it.
    ///
    /// - Throws: ``WriteFailure``.
    package func write(_ files: [GeneratedFile]) throws(WriteFailure) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw WriteFailure(path: url.path(percentEncoded: false), reason: error)
        }
        for file in differing(files) {
            let target = url.appending(path: file.name, directoryHint: .notDirectory)
            do {
                try Data(file.text.utf8).write(to: target, options: .atomic)
            } catch {
                throw WriteFailure(path: target.path(percentEncoded: false), reason: error)
            }
        }
    }

    /// Returns the files that differ from the existing ones.
    package func differing(_ files: [GeneratedFile]) -> [GeneratedFile] {
        files.filter { (try? Data(contentsOf: url.appending(path: $0.name, directoryHint: .notDirectory))) != Data($0.text.utf8) }
    }
}

/// An error for a file that could not be written.
package struct WriteFailure: Error, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The reason that the system reports.
    package let reason: String

    /// - Parameter error: The error of the operation, whose reason is shown without the path.
    package init(path: String, reason error: any Error) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        // Foundation's errors have that of the system as a `POSIXError` or as an `NSError`.
        let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error ?? error) as NSError
        reason =
            switch (cause.domain, Int32(truncatingIfNeeded: cause.code)) {
            // Only a standard stream can be closed: a file is opened before it is written.
            case (NSPOSIXErrorDomain, EBADF): "it is closed"
            case (NSPOSIXErrorDomain, let code): String(cString: strerror(code))
            default: (error as NSError).localizedDescription
            }
    }

    package var description: String { "\(path): error: cannot be written: \(reason)" }
}
