internal import Countersign
internal import NIOSSL

extension AsyncHTTPClientTransport {
    /// The certification authorities that are trusted to issue server certificates.
    ///
    /// To add a company's own authority, use `TrustRoots.system.adding(.file("/etc/company/ca.pem"))`.
    ///
    /// Certificates are read when a transport is created. If they cannot be read, no server is trusted, and every request of that
    /// transport fails with an error that describes the reason.
    public struct TrustRoots: Sendable, Hashable {
        private enum Source: Sendable, Hashable {
            case system
            case pem([UInt8])
            case file(String)
        }

        private let sources: [Source]

        /// The authorities that the operating system trusts.
        public static let system = TrustRoots(sources: [.system])

        /// Returns the authorities in a PEM text, and no others.
        public static func pem(_ bytes: [UInt8]) -> TrustRoots { TrustRoots(sources: [.pem(bytes)]) }

        /// Returns the authorities in a PEM file, and no others.
        public static func file(_ path: String) -> TrustRoots { TrustRoots(sources: [.file(path)]) }

        /// Returns these authorities and others.
        public func adding(_ others: TrustRoots) -> TrustRoots { TrustRoots(sources: sources + others.sources) }

        /// Whether the operating system's authorities are included.
        var usesSystem: Bool { sources.contains(.system) }

        /// Reads the authorities other than the operating system's.
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
                    .tls, detail: "\(source) given as trust roots cannot be read, or contains no certificate in PEM format",
                    requestMayHaveBeenProcessed: false)
            }
            return certificates
        }
    }
}
