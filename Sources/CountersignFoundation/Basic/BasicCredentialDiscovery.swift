public import Countersign

#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Provides a user name and password, from the user or from another source of the application.
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
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol BasicCredentialDiscovery: AnyObject, Sendable {
    /// Provides the credential for a URL.
    ///
    /// Calls for one server and realm do not overlap. After a refusal, the method is called again; `challenge.previousFailureCount`
    /// is the number of refusals.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - challenge: The challenge, with its protection space and response.
    ///   - completionHandler: Called once, on any thread, with a credential; with an error that the requests fail with; or with
    ///     neither if the user cancelled.
    func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void)
}

/// Calls a function of the application to obtain the credential, for example from a dialog, a terminal or an environment variable.
///
/// Without a function, a challenge fails with the method's error for a missing credential.
public final class DefaultBasicCredentialDiscovery: BasicCredentialDiscovery {
    /// Returns a credential for a server and realm; `nil` if the user cancelled.
    public typealias Prompt =
        @Sendable (_ url: URL, _ realm: String?, _ previousFailureCount: Int) async throws -> BasicCredential?

    private let prompt: Prompt?

    /// Creates a discovery.
    ///
    /// - Parameter prompt: The function that returns the credential; `nil` for none.
    @preconcurrency public init(prompt: Prompt? = nil) { self.prompt = prompt }

    public func provideBasicCredential(
        for url: URL, challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (BasicCredential?, (any Error)?) -> Void
    ) {
        guard let prompt else {
            return completionHandler(nil, CredentialFailure.unusable("the observer has no prompt that asks for a credential"))
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
