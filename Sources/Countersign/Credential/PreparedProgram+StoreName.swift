#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension PreparedProgram {
    /// The name that distinguishes a method's credentials in a store: the method's name and the parameters that identify a credential.
    ///
    /// Secrets are not among them, so a credential is still found after the rotation of a client secret.
    var storeName: String {
        let parameters = zip(program.slots, self.parameters).compactMap { slot, value -> String? in
            guard slot.identifiesCredential, let text = value.nameInStore else { return nil }
            return "\(slot.name)=\(text)"
        }
        return (["Countersign credential", program.name] + parameters).joined(separator: "\n")
    }
}

extension ProgramValue {
    fileprivate var nameInStore: String? {
        switch self {
        case .text(let text): text
        case .url(let url): url.absoluteString
        case .origins(let origins): origins.origins.map { $0.map(\.description).sorted().joined(separator: " ") } ?? "anywhere"
        case .absent, .secret, .duration, .date, .json, .xml, .cookies, .identity, .texts, .members, .data: nil
        }
    }
}
