@_spi(Generated) public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
internal import FoundationNetworking
#else
internal import Foundation
#endif

/// User names and passwords from an application's discovery, kept in its store: what a generated observer for `credential: basic` has.
public struct BasicCredentialSource: CredentialSource {
    private let discovery: any BasicCredentialDiscovery
    private let store: (any BasicCredentialStoring)?
    private let calls = BlockingCalls("countersign.basic-store")

    /// Makes a source.
    ///
    /// - Parameters:
    ///   - discovery: Asks for the credential.
    ///   - store: Keeps it; `nil` for nowhere.
    public init(_ discovery: any BasicCredentialDiscovery, store: (any BasicCredentialStoring)? = nil) {
        self.discovery = discovery
        self.store = store
    }

    public func load(for place: CredentialPlace) async throws -> BasicCredential? {
        guard let store, let url = place.url else { return nil }
        return try await calls.perform { try store.credential(for: url) }
    }

    public func store(_ credential: BasicCredential, for place: CredentialPlace) async throws {
        guard let store, let url = place.url else { return }
        try await calls.perform { try store.store(credential: credential, for: url) }
    }

    public func delete(for place: CredentialPlace) async throws {
        guard let store, let url = place.url else { return }
        try await calls.perform { try store.delete(for: url) }
    }

    public func ask(_ question: CredentialQuestion) async throws -> BasicCredential? {
        let challenge = URLAuthenticationChallenge(question)
        let answer: BasicCredential? = try await GeneratedCodeVersion1.answer { complete in
            discovery.provideBasicCredential(for: question.url, challenge: challenge) { credential, error in
                switch (credential, error) {
                case (let credential?, nil): complete(.success(credential))
                case (nil, nil): complete(.failure(CredentialFailure.cancelled))
                case (nil, let error?): complete(.failure(error is CancellationError ? CredentialFailure.cancelled : error))
                case (_?, _?):
                    complete(.failure(CredentialFailure.unusable("the discovery gave a credential and an error at once")))
                }
            }
        }
        return answer
    }
}

extension URLAuthenticationChallenge {
    /// A question as Foundation has it.
    fileprivate convenience init(_ question: CredentialQuestion) {
        let origin = question.place.origin
        let space = URLProtectionSpace(
            host: origin.host, port: origin.port, protocol: origin.scheme, realm: question.place.realm,
            authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: question.refusals,
            failureResponse: question.response.flatMap { HTTPURLResponse(httpResponse: $0, url: question.url) }, error: nil,
            sender: NobodyToAnswer())
    }
}

/// What a challenge of Foundation has to have: the answer goes to the completion handler.
private final class NobodyToAnswer: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
