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

/// API keys of an application, one after another.
public struct APIKeySource: CredentialSource {
    private let discovery: any APIKeyCredentialDiscovery

    /// Makes a source.
    public init(_ discovery: any APIKeyCredentialDiscovery) { self.discovery = discovery }

    public func load(for place: CredentialPlace) -> APIKey? { nil }
    public func store(_ credential: APIKey, for place: CredentialPlace) {}
    public func delete(for place: CredentialPlace) {}

    /// The key after those that were refused.
    public func ask(_ question: CredentialQuestion) -> APIKey? {
        guard let keys = discovery.provideAPIKeyCredential(for: nil, user: nil)?.keys() else { return nil }
        if keys.isEmpty { return question.refusals == 0 ? APIKey(nil) : nil }
        return keys.indices.contains(question.refusals) ? APIKey(keys[question.refusals]) : nil
    }
}
