/// Gives the API keys of an application, at once. Where that takes time, conform to ``AsyncAPIKeyCredentialDiscovery``.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol APIKeyCredentialDiscovery: AnyObject, Sendable {
    /// Returns the keys in the order in which they are tried, or `nil` if there are none to give.
    ///
    /// Called before the first request to an origin, and again after each refusal: of the keys that are returned then, the first that was
    /// not refused is sent.
    ///
    /// - Parameters:
    ///   - appplicationId: The application, if it is known. (The spelling is the SDK's.)
    ///   - user: The user, if one is known.
    func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential?
}
