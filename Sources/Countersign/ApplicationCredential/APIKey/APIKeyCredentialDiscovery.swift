/// Gives the API keys of an application.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol APIKeyCredentialDiscovery: AnyObject, Sendable {
    /// The keys, or `nil` if there are none to give.
    ///
    /// - Parameters:
    ///   - appplicationId: The application, if it is known. (The spelling is the SDK's.)
    ///   - user: The user, if one is known.
    func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential?
}
