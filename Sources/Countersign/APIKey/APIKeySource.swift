internal import HTTPTypes

/// Provides the API keys of an application one by one until the server accepts one.
///
/// Keys are compared by value, since a discovery may return different keys at each call, such as a new key in place of a refused
/// one.
@_spi(Generated) public struct APIKeySource: ProgramPrompting {
    private let discovery: any APIKeyCredentialDiscovery

    /// Creates a source.
    public init(_ discovery: any APIKeyCredentialDiscovery) { self.discovery = discovery }

    /// Returns the first key that was not refused, or an absent value for a request without a key.
    public func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let credential =
            if let discovery = discovery as? any AsyncAPIKeyCredentialDiscovery {
                try await discovery.obtainAPIKeyCredential(for: prompt.url)
            } else {
                discovery.provideAPIKeyCredential(for: nil, user: nil)
            }
        guard let keys = credential?.keys() else { return nil }
        let candidates = keys.isEmpty ? [ProgramValue.absent] : keys.map(ProgramValue.secret)
        guard let candidate = candidates.first(where: { !prompt.refused.contains([$0]) }) else { return nil }
        if let key = candidate.text, key.isEmpty || !HTTPField.isValidValue(key) {
            throw CredentialFailure.unusable("a key is empty or has characters that a header field cannot carry")
        }
        return [candidate]
    }
}
