package import Foundation

/// The folder that generated files go to.
package struct OutputFolder: Sendable {
    private let url: URL

    /// Names a folder; it is made when the first file is written.
    package init(_ url: URL) {
        self.url = url
    }

    /// Writes the files that differ from what is there, each as a whole or not at all. Nothing is removed.
    ///
    /// A file that stays as it is keeps its date, so that a build compiles nothing anew.
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

    /// The files that differ from what is there.
    package func differing(_ files: [GeneratedFile]) -> [GeneratedFile] {
        files.filter { (try? Data(contentsOf: url.appending(path: $0.name, directoryHint: .notDirectory))) != Data($0.text.utf8) }
    }
}

/// Why a file could not be written.
package struct WriteFailure: Error, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// What the system says.
    package let reason: String

    init(path: String, reason error: any Error) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let code = ((underlying ?? error) as? POSIXError)?.code
        reason = code.map { String(cString: strerror($0.rawValue)) } ?? (error as NSError).localizedDescription
    }

    package var description: String { "\(path): error: cannot be written: \(reason)" }
}
