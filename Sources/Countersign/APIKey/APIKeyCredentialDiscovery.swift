#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Provides the API keys of an application synchronously. If that takes time, conform to ``AsyncAPIKeyCredentialDiscovery``.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol APIKeyCredentialDiscovery: AnyObject, Sendable {
    /// Returns the keys in the order in which they are tried, or `nil` if no key is available.
    ///
    /// Called before the first request to an origin, and again after each refusal: of the keys that are returned then, the first
    /// that was not refused is sent.
    ///
    /// - Parameters:
    ///   - appplicationId: The application, if it is known. (The spelling is the SDK's.)
    ///   - user: The user, if one is known.
    func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential?
}

/// Provides the keys of a configuration.
public final class DefaultAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    private let config: APIKeyAuthenticationConfig?

    /// Creates a discovery without keys. Requests that need a key fail.
    public init() { config = nil }

    /// Creates a discovery with the keys of a configuration.
    public init(using config: APIKeyAuthenticationConfig) { self.config = config }

    /// Creates a discovery with the keys of an optional configuration; `nil` provides no keys.
    public init(using config: APIKeyAuthenticationConfig?) { self.config = config }

    /// Returns the keys of the configuration: an empty list if it has none and allows anonymous access, `nil` if it has none and
    /// does not.
    public func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
        guard let config, !config.apikeys.isEmpty || config.allowAnonymousAccessFlag else { return nil }
        return APIKeyCredential(apikeys: config.apikeys)
    }
}

/// Provides the API keys of an application asynchronously, for example from a server, a vault or the user.
///
/// It can be used wherever an ``APIKeyCredentialDiscovery`` is accepted. The observer then calls ``obtainAPIKeyCredential(for:)``
/// in place of ``APIKeyCredentialDiscovery/provideAPIKeyCredential(for:user:)``, which has an implementation here.
///
/// ```swift
/// final class Vault: AsyncAPIKeyCredentialDiscovery {
///     func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential? {
///         APIKeyCredential(apikeys: [try await key(named: "orders")])
///     }
/// }
/// ```
@preconcurrency public protocol AsyncAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    /// Returns the keys in the order in which they are tried. An empty list sends requests without a key; `nil` means that no key
    /// is available.
    ///
    /// Called before the first request to an origin, and again after each refusal: of the keys that are returned then, the first
    /// that was not refused is sent. No two calls run at once for one origin. The time limit is
    /// ``SessionConfiguration/interactiveTimeout``. The task is cancelled at that limit, or when no request waits for the keys any
    /// more.
    ///
    /// - Parameter url: The address of the request that needs a key.
    /// - Throws: The error that the requests fail with; `CancellationError` if the user cancelled.
    func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential?
}

extension AsyncAPIKeyCredentialDiscovery {
    /// Returns `nil`, since the keys are provided asynchronously.
    public func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? { nil }
}
