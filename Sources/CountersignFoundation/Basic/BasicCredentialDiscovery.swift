public import Countersign

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Asks for a user name and password, from the user or from wherever the application has them.
///
/// ```swift
/// final class Account: BasicCredentialDiscovery {
///     func provideBasicCredential(
///         for url: URL, challenge: URLAuthenticationChallenge,
///         completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
///     ) {
///         completionHandler(BasicCredential(username: "alice", password: "wonderland"), nil)
///     }
/// }
/// ```
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol BasicCredentialDiscovery: AnyObject, Sendable {
    /// Asks for the credential for an address.
    ///
    /// No two calls run at once for one server and realm. What the server refuses is asked for again:
    /// `challenge.previousFailureCount` says how often it was refused.
    ///
    /// - Parameters:
    ///   - url: The address of the request that needs it.
    ///   - challenge: Server, realm, and the response that asks.
    ///   - completionHandler: Called once, on any thread, with a credential; with an error, which is then that of the requests; or with
    ///     neither where the user gave up.
    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void)
}

/// Asks a function of the application: a dialog, a terminal, an environment variable.
///
/// Without one there is nothing to ask, and a challenge ends in the method's error for that.
public final class DefaultBasicCredentialDiscovery: BasicCredentialDiscovery {
    /// Gives a credential for a server and realm; `nil` where the user gave up.
    public typealias Prompt =
        @Sendable (_ url: URL, _ realm: String?, _ previousFailureCount: Int) async throws -> BasicCredential?

    private let prompt: Prompt?

    /// Makes a discovery.
    ///
    /// - Parameter prompt: Asks the user.
    @preconcurrency public init(prompt: Prompt? = nil) { self.prompt = prompt }

    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        guard let prompt else {
            return completionHandler(nil, CredentialFailure.unusable("the observer has no prompt to ask for a credential with"))
        }
        let realm = challenge.protectionSpace.realm
        let failures = challenge.previousFailureCount
        Task {
            do {
                completionHandler(try await prompt(url, realm, failures), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }
}
