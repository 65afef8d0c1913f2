#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import HTTPTypes

/// One API key, or the decision to send none.
public struct APIKey: ApplicationCredential {
    /// `nil` for a request without a key.
    private let key: String?

    init(_ key: String?) { self.key = key }

    public func attach(to fields: inout HTTPFields, as attachment: CredentialAttachment) throws(CredentialFailure) {
        guard let key else { return }
        guard case .field = attachment, let name = attachment.fieldName else {
            throw .unusable("a key is sent in a field of its own")
        }
        guard HTTPField.isValidValue(key), !key.isEmpty else {
            throw .unusable("a key is empty or has characters that a header field cannot carry")
        }
        var field = HTTPField(name: name, value: key)
        field.indexingStrategy = .disallow
        fields[fields: name] = [field]
    }
}

extension APIKey: ReducedDescription {
    /// Whether there is a key.
    public var visibleParts: KeyValuePairs<String, String> { ["key": key == nil ? "none" : redacted] }
}

/// API keys of an application, one after another until the server accepts one.
public struct APIKeySource: CredentialSource {
    private let discovery: any APIKeyCredentialDiscovery

    /// Makes a source.
    public init(_ discovery: any APIKeyCredentialDiscovery) { self.discovery = discovery }

    public func load(for place: CredentialPlace) -> APIKey? { nil }
    public func store(_ credential: APIKey, for place: CredentialPlace) {}
    public func delete(for place: CredentialPlace) {}

    public func ask(_ question: CredentialQuestion) async throws -> APIKey? { try await ask(question, refused: []) }

    /// The first key that was not refused.
    ///
    /// Keys are compared by value: a discovery may give other keys than before, above all a fresh one in place of a refused one.
    public func ask(_ question: CredentialQuestion, refused: [APIKey]) async throws -> APIKey? {
        guard let keys = try await credential(for: question.url)?.keys() else { return nil }
        let candidates = keys.isEmpty ? [APIKey(nil)] : keys.map { APIKey($0) }
        return candidates.first { !refused.contains($0) }
    }

    private func credential(for url: URL) async throws -> APIKeyCredential? {
        guard let discovery = discovery as? any AsyncAPIKeyCredentialDiscovery else {
            return discovery.provideAPIKeyCredential(for: nil, user: nil)
        }
        do {
            return try await discovery.obtainAPIKeyCredential(for: url)
        } catch is CancellationError {
            try Task.checkCancellation()
            throw CredentialFailure.cancelled
        }
    }
}
