#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Where credentials of the application come from, and where they are kept.
///
/// A call may take its time, as a person does; the observer calls no two at once for one ``CredentialPlace``. An application implements
/// `BasicCredentialDiscovery`, ``BasicCredentialStoring`` or ``APIKeyCredentialDiscovery``, from which generated code makes one of these.
public protocol CredentialSource<Credential>: Sendable {
    /// The kind of credential.
    associatedtype Credential: ApplicationCredential

    /// What was kept for a place.
    func load(for place: CredentialPlace) async throws -> Credential?
    /// Asks for a credential; `nil` if there is none.
    ///
    /// - Throws: ``CredentialFailure``, or an error of the application's own, which is then that of the requests.
    func ask(_ question: CredentialQuestion) async throws -> Credential?
    /// Asks for a credential that is none of those that were refused. The default calls ``ask(_:)``, for an application that is asked for
    /// another one by the number of refusals.
    ///
    /// - Parameters:
    ///   - question: What it is for.
    ///   - refused: What the server has refused in a row, the latest at the end; as many as ``CredentialQuestion/refusals``.
    /// - Throws: As ``ask(_:)``.
    func ask(_ question: CredentialQuestion, refused: [Credential]) async throws -> Credential?
    /// Keeps a credential for a place.
    func store(_ credential: Credential, for place: CredentialPlace) async throws
    /// Forgets what was kept for a place.
    func delete(for place: CredentialPlace) async throws
}

extension CredentialSource {
    public func ask(_ question: CredentialQuestion, refused: [Credential]) async throws -> Credential? { try await ask(question) }
}

/// A credential that the application gives.
public protocol ApplicationCredential: Sendable, Equatable {
    /// Puts the credential into a request.
    ///
    /// - Throws: ``CredentialFailure/unusable(_:)``.
    func attach(to fields: inout HTTPFields, as attachment: CredentialAttachment) throws(CredentialFailure)

    /// What connections are made with, for ``CredentialAttachment/connection``.
    var connectionIdentity: ConnectionIdentity? { get }
}

extension ApplicationCredential {
    public var connectionIdentity: ConnectionIdentity? { nil }
}

/// What a credential is for: a protection space (RFC 9110, section 11.5).
public struct CredentialPlace: Sendable, Hashable, CustomStringConvertible {
    /// The server.
    public let origin: Origin
    /// The part of it that the credential is for, as the server names it; `nil` for all.
    public let realm: String?

    /// Makes a place.
    public init(origin: Origin, realm: String? = nil) {
        self.origin = origin
        self.realm = realm
    }

    /// The address under which stores that know URLs alone keep the credential: the origin's root; the realm, if there is one, is its
    /// fragment, which no server ever sees.
    public var url: URL? {
        let fragment = realm.map { "#" + URLPiece.value($0).encoded } ?? ""
        return URL(string: "\(origin)/\(fragment)")
    }

    public var description: String { "\(origin)" }
}

/// What the application is asked for a credential with.
public struct CredentialQuestion: Sendable {
    /// What it is for.
    public let place: CredentialPlace
    /// The address of the request that needs it.
    public let url: URL
    /// How many credentials were refused in a row.
    public let refusals: Int
    /// The head of the response that asks; `nil` where no server has been asked yet, or where it refuses connections.
    public let response: HTTPResponse?

    /// Makes a question.
    public init(place: CredentialPlace, url: URL, refusals: Int = 0, response: HTTPResponse? = nil) {
        self.place = place
        self.url = url
        self.refusals = refusals
        self.response = response
    }
}

extension CredentialQuestion {
    /// The same question after so many refusals.
    func after(_ refusals: Int) -> CredentialQuestion {
        CredentialQuestion(place: place, url: url, refusals: refusals, response: response)
    }
}

extension CredentialQuestion: ReducedDescription {
    /// The place's origin, and how often it was asked.
    public var visibleParts: KeyValuePairs<String, String> { ["origin": "\(place.origin)", "refusals": "\(refusals)"] }
}

extension CredentialPlace: ProtectedPlace {
    var server: Origin? { origin }
}
