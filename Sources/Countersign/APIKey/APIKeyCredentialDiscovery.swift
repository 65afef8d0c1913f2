#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

/// Gives the keys of a configuration.
public final class DefaultAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    private let config: APIKeyAuthenticationConfig?

    /// Makes a discovery without keys: requests that need one fail.
    public init() { config = nil }

    /// Makes a discovery with the keys of a configuration.
    public init(using config: APIKeyAuthenticationConfig) { self.config = config }

    /// The same for a configuration that may be missing, as code samples of the field have it; without one it has no keys.
    public init(using config: APIKeyAuthenticationConfig?) { self.config = config }

    /// The keys of the configuration; none if it allows requests without one; `nil` if it has none and does not.
    public func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? {
        guard let config, !config.apikeys.isEmpty || config.allowAnonymousAccessFlag else { return nil }
        return APIKeyCredential(apikeys: config.apikeys)
    }
}

/// Gives the API keys of an application asynchronously: from a server, a vault or the user.
///
/// An observer takes one wherever it takes an ``APIKeyCredentialDiscovery``, and calls ``obtainAPIKeyCredential(for:)`` in place of
/// ``APIKeyCredentialDiscovery/provideAPIKeyCredential(for:user:)``, which has an implementation here.
///
/// ```swift
/// final class Vault: AsyncAPIKeyCredentialDiscovery {
///     func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential? {
///         APIKeyCredential(apikeys: [try await key(named: "orders")])
///     }
/// }
/// ```
@preconcurrency public protocol AsyncAPIKeyCredentialDiscovery: APIKeyCredentialDiscovery {
    /// Returns the keys, in the order in which they are tried; an empty list sends requests without one, `nil` means that there is none.
    ///
    /// Called before the first request to an origin, and again after each refusal: of the keys that are returned then, the first that was
    /// not refused is sent. No two calls run at once for one origin. The limit of time is ``SessionConfiguration/interactiveTimeout``; the
    /// task is cancelled when that is over, or when no request waits for the keys any more.
    ///
    /// - Parameter url: The address of the request that needs a key.
    /// - Throws: The error of the requests; `CancellationError` where the user gave up.
    func obtainAPIKeyCredential(for url: URL) async throws -> APIKeyCredential?
}

extension AsyncAPIKeyCredentialDiscovery {
    /// `nil`: the keys are given asynchronously.
    public func provideAPIKeyCredential(for appplicationId: String?, user: String?) -> APIKeyCredential? { nil }
}
