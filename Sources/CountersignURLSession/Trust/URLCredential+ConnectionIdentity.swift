#if canImport(Security)
internal import Countersign
internal import CountersignIdentity
internal import Foundation
internal import Security
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLCredential {
    /// Returns the credential that presents a client certificate in the TLS handshake.
    ///
    /// The Security framework creates an identity from a PKCS #12 archive, or in the Keychain. An archive in memory leaves nothing
    /// behind.
    ///
    /// - Throws: `TransportError` for an identity that cannot be read.
    static func presenting(_ identity: ConnectionIdentity) throws -> URLCredential {
        // The archive never leaves this function, so the number of iterations is of no importance.
        let password = UUID().uuidString
        guard let key = try? IdentityKey(pkcs8: identity.privateKey.bytes),
            let client = try? ClientIdentity(certificates: identity.certificateChain, privateKey: key),
            let archive = try? PKCS12Archive.write(client, password: password, iterations: 2048),
            let imported = read(archive.bytes, password: password)
        else {
            throw TransportError(
                .other, detail: "the system cannot read the client certificate or its key", requestMayHaveBeenProcessed: false)
        }
        let issuers = identity.certificateChain.dropFirst().compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        return URLCredential(identity: imported, certificates: issuers, persistence: .forSession)
    }

    private static func read(_ archive: [UInt8], password: String) -> SecIdentity? {
        var options: [String: Any] = [kSecImportExportPassphrase as String: password]
        #if os(macOS)
        // Otherwise, the key would be stored in the user's Keychain.
        options[kSecImportToMemoryOnly as String] = true
        #endif
        var items: CFArray?
        guard SecPKCS12Import(Data(archive) as CFData, options as CFDictionary, &items) == errSecSuccess,
            let item = (items as? [[String: Any]])?.first, let value = item[kSecImportItemIdentity as String]
        else { return nil }
        let object = value as AnyObject
        guard CFGetTypeID(object) == SecIdentityGetTypeID() else { return nil }
        // A conditional cast to a type of Core Foundation does not check it.
        return unsafeDowncast(object, to: SecIdentity.self)
    }
}
#endif
