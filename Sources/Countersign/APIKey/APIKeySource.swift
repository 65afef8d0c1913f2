internal import HTTPTypes

/// API keys of an application, one after another until the server accepts one.
///
/// Keys are compared by value: a discovery may give other keys than before, above all a fresh one in place of a refused one.
@_spi(Generated) public struct APIKeySource: ProgramPrompting {
    private let discovery: any APIKeyCredentialDiscovery

    /// Makes a source.
    public init(_ discovery: any APIKeyCredentialDiscovery) { self.discovery = discovery }

    /// The first key that was not refused; an absent value for a request without a key.
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
