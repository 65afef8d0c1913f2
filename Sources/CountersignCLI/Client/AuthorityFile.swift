import CountersignAsyncHTTPClient
import Foundation

/// A file with certificate authorities, of the option `--ca-file`.
enum AuthorityFile {
    /// Returns the configuration of a transport that trusts the authorities in addition to the system's.
    ///
    /// - Parameter path: `nil` for the system's alone.
    /// - Throws: ``CommandProblem`` if the file cannot be read, or contains no certificate in PEM format.
    static func transport(trusting path: String?) throws -> AsyncHTTPClientTransport.Configuration {
        var configuration = AsyncHTTPClientTransport.Configuration()
        guard let path else { return configuration }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CommandProblem("The file with certificate authorities cannot be read: \(path).", exit: CommandExit.noInput)
        }
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        // A pipe can be read only once, by the transport.
        if attributes?[.type] as? FileAttributeType == .typeRegular,
            WholeFile.bytes(atPath: path)?.firstRange(of: Data("-----BEGIN CERTIFICATE".utf8)) == nil
        {
            throw CommandProblem(
                "The file with certificate authorities contains no certificate in PEM format: \(path).", exit: CommandExit.badData)
        }
        configuration.trustRoots = .system.adding(.file(path))
        return configuration
    }
}
