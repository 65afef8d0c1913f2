internal import Countersign
internal import NIOSSL

extension AsyncHTTPClientTransport {
    /// The certification authorities that may vouch for a server.
    ///
    /// A company's own authority beside the known ones: `TrustRoots.system.adding(.file("/etc/company/ca.pem"))`.
    ///
    /// Certificates are read when a transport is made. If they cannot be read, no server is trusted: every request of that transport
    /// ends with an error that says so.
    public struct TrustRoots: Sendable, Hashable {
        private enum Source: Sendable, Hashable {
            case system
            case pem([UInt8])
            case file(String)
        }

        private let sources: [Source]

        /// Those that the operating system trusts.
        public static let system = TrustRoots(sources: [.system])

        /// Those in a text of PEM blocks, and no others.
        public static func pem(_ bytes: [UInt8]) -> TrustRoots { TrustRoots(sources: [.pem(bytes)]) }

        /// Those in a file of PEM blocks, and no others.
        public static func file(_ path: String) -> TrustRoots { TrustRoots(sources: [.file(path)]) }

        /// These and others.
        public func adding(_ others: TrustRoots) -> TrustRoots { TrustRoots(sources: sources + others.sources) }

        /// Whether the operating system's are among them.
        var usesSystem: Bool { sources.contains(.system) }

        /// Reads those that are not the operating system's.
        ///
        /// - Throws: `TransportError`.
        func certificates() throws -> [NIOSSLCertificate] {
            try sources.flatMap { source -> [NIOSSLCertificate] in
                switch source {
                case .system: []
                case .pem(let bytes): try Self.read("the given bytes") { try NIOSSLCertificate.fromPEMBytes(bytes) }
                case .file(let path): try Self.read("the file '\(path)'") { try NIOSSLCertificate.fromPEMFile(path) }
                }
            }
        }

        private static func read(
            _ source: String, _ read: () throws -> [NIOSSLCertificate]
        ) throws -> [NIOSSLCertificate] {
            guard let certificates = try? read(), !certificates.isEmpty else {
                throw TransportError(
                    .tls, detail: "\(source) given as trust roots cannot be read, or holds no certificate in PEM form",
                    requestMayHaveBeenProcessed: false)
            }
            return certificates
        }
    }
}
