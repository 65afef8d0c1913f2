@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
internal import FoundationNetworking
#else
internal import Foundation
#endif

/// User names and passwords of an application's discovery, stored in its store. Generated observers for HTTP Basic use it.
@_spi(Generated) public struct BasicCredentialSource {
    private let discovery: any BasicCredentialDiscovery
    private let store: (any BasicCredentialStoring)?
    private let calls = BlockingCalls("countersign.basic-store")

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - discovery: Provides the credential.
    ///   - store: The store of the credential; `nil` for none.
    public init(_ discovery: any BasicCredentialDiscovery, store: (any BasicCredentialStoring)? = nil) {
        self.discovery = discovery
        self.store = store
    }
}

@_spi(Generated) extension BasicCredentialSource: PlaceCredentialStore {
    public func load(for place: CredentialPlace) async throws -> [ProgramValue]? {
        guard let store, let url = place.url else { return nil }
        return try await calls.perform { try store.credential(for: url) }.map { [.text($0.username), .secret($0.password)] }
    }

    public func store(_ values: [ProgramValue], for place: CredentialPlace) async throws {
        guard let store, let url = place.url, values.count == 2, case .text(let name) = values[0],
            case .secret(let password) = values[1]
        else { return }
        try await calls.perform { try store.store(credential: BasicCredential(username: name, password: password), for: url) }
    }

    public func delete(for place: CredentialPlace) async throws {
        guard let store, let url = place.url else { return }
        try await calls.perform { try store.delete(for: url) }
    }
}

@_spi(Generated) extension BasicCredentialSource: ProgramPrompting {
    public func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]? {
        let challenge = URLAuthenticationChallenge(prompt)
        let credential: BasicCredential = try await GeneratedCodeVersion3.answer { complete in
            discovery.provideBasicCredential(for: prompt.url, challenge: challenge) { credential, error in
                switch (credential, error) {
                case (let credential?, nil): complete(.success(credential))
                case (nil, nil): complete(.failure(CredentialFailure.cancelled))
                case (nil, let error?): complete(.failure(error))
                case (_?, _?):
                    complete(.failure(CredentialFailure.unusable("the discovery gave a credential and an error at once")))
                }
            }
        }
        return [.text(credential.username), .secret(credential.password)]
    }
}

extension URLAuthenticationChallenge {
    /// Creates Foundation's representation of a prompt.
    fileprivate convenience init(_ prompt: CredentialPrompt) {
        let space = URLProtectionSpace(
            host: prompt.origin.host, port: prompt.origin.port, protocol: prompt.origin.scheme, realm: prompt.challenge["realm"],
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: prompt.refused.count,
            failureResponse: prompt.response.flatMap { HTTPURLResponse(httpResponse: $0, url: prompt.url) }, error: nil,
            sender: InertChallengeSender())
    }
}

/// The sender that a Foundation challenge requires. It does nothing, since the answer is passed to the completion handler.
private final class InertChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
