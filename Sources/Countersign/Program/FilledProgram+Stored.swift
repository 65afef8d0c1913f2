#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension FilledProgram {
    /// What a store has of the program's credentials, without the credentials.
    package struct Stored: Sendable, Hashable {
        /// The server; `nil` for all that the credential is for.
        package let server: String?
        /// The credential's fields that are texts and no secrets, by their names.
        package let visible: [String: String]
        /// What the credential is kept apart by besides, such as a realm.
        package let separators: [String]
        /// When it runs out; `nil` if that is not known.
        package let expires: Date?
        /// Whether another one can come of it without a user.
        package let isRenewable: Bool
    }

    /// What a store has of the program's credentials.
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
