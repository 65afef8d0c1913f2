#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
internal import NIOSSL

extension AsyncHTTPClientTransport {
    /// The certification authorities that may vouch for a server.
    ///
    /// A company's own authority beside the known ones: `try TrustRoots.system.adding(.file("/etc/company/ca.pem"))`.
    public struct TrustRoots: Sendable {
        let usesSystem: Bool
        let certificates: [NIOSSLCertificate]

        /// Those that the operating system trusts.
        public static let system = TrustRoots(usesSystem: true, certificates: [])

        /// Those in a text of PEM blocks, and no others.
        ///
        /// - Throws: ``TrustRootsError``.
        public static func pem(_ bytes: [UInt8]) throws -> TrustRoots {
            try TrustRoots(source: "the given bytes") { try NIOSSLCertificate.fromPEMBytes(bytes) }
        }

        /// Those in a file of PEM blocks, and no others.
        ///
        /// - Throws: ``TrustRootsError``.
        public static func file(_ path: String) throws -> TrustRoots {
            try TrustRoots(source: path) { try NIOSSLCertificate.fromPEMFile(path) }
        }

        /// These and others.
        public func adding(_ others: TrustRoots) -> TrustRoots {
            TrustRoots(usesSystem: usesSystem || others.usesSystem, certificates: certificates + others.certificates)
        }

        private init(usesSystem: Bool, certificates: [NIOSSLCertificate]) {
            self.usesSystem = usesSystem
            self.certificates = certificates
        }

        private init(source: String, read: () throws -> [NIOSSLCertificate]) throws {
            guard let certificates = try? read(), !certificates.isEmpty else { throw TrustRootsError(source: source) }
            self.init(usesSystem: false, certificates: certificates)
        }
    }

    /// Certificates that cannot be read.
    public struct TrustRootsError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
        /// Where they should have been.
        public let source: String

        public var description: String { "\(source) holds no certificate in PEM form" }
        public var errorDescription: String? { description }
    }
}
