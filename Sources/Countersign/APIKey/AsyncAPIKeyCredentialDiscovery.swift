#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
