#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension FilledProgram {
    /// The description of a stored credential, without its secrets.
    package struct Stored: Sendable, Hashable {
        /// The server; `nil` for all servers of the credential.
        package let server: String?
        /// The non-secret text fields of the credential, by name.
        package let visible: [String: String]
        /// Further values that separate credentials, such as a realm.
        package let separators: [String]
        /// The expiry date; `nil` if unknown.
        package let expires: Date?
        /// Whether it can be renewed without the user.
        package let isRenewable: Bool
    }

    /// Returns the descriptions of the program's stored credentials.
    ///
    /// - Throws: ``CredentialStoreError``.
    package func stored(in store: any CredentialStore) async throws -> [Stored] {
        let method = prepared()
        return try await StoredCredentials(store, of: method).all().map { entry in
            var values = method.parameters
            for field in method.program.credential.fields {
                if let text = entry.fields[program.slots[field.slot].name] { values[field.slot] = .text(text) }
            }
            let visible = program.credential.fields.filter { $0.slot != program.credential.lifetime }.map { program.slots[$0.slot] }
                .filter { !$0.isSecret }.map(\.name)
            return Stored(
                server: entry.server,
                visible: entry.fields.filter { visible.contains($0.key) && !entry.separators.contains($0.value) },
                separators: entry.separators.compactMap(\.self).filter { $0 != entry.server },
                expires: entry.expires, isRenewable: method.canRenew(values))
        }
    }
}
