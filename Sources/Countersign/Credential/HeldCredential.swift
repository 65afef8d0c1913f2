#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// A credential as the requests of a protection space carry it.
struct HeldCredential: Sendable {
    /// The values of ``PreparedProgram/credentialSlots``.
    private(set) var values: [ProgramValue]
    /// The credential as header fields.
    private(set) var fields: [HTTPField]
    /// The credential as parameters of the query.
    var parameters: [FormParameters.Parameter] = []
    /// The header fields and query parameters that only requests of some HTTP methods carry.
    var limited: [LimitedPart] = []
    /// The credential as members of the body; `nil` if it is not in bodies.
    var members: BodyMembers?
    /// The signer that adds a new Digest field to each request.
    var signer: DigestSigner?
    /// The signer of each request and its body.
    var signature: (any RequestSigning)?
    /// The token, if the credential is one. It is also in the fields.
    var token: OAuth2Token?
    /// The origins that the credential itself names as its recipients.
    var recipients: Set<Origin> = []
    /// The current cookies, which responses change.
    let cookies: CookieJar?
    /// The generation within the space, set when requests begin to carry the credential.
    var generation = Generation.none
    /// The time at which requests began to carry it, by the session's clock.
    var since = Duration.zero
    /// The user's session that the credential belongs to; `nil` until it is the current credential.
    var epoch: SessionEpoch?
    /// The client certificate of the connections.
    let identity: ConnectionIdentity?
    /// The changes of a login to the session's cookies, until they are committed.
    var login: CookieLogin?
    /// The refusals in a row before this credential.
    let refusals: Refusals
    let lifetime: TokenLifetime
    /// The end of the lifetime by the wall clock; `nil` if it is unknown.
    var expirationDate: Date?
    /// The stored entry; `nil` if the credential is not stored.
    var stored: CredentialEntry?
    /// Whether a server has accepted it.
    var isAccepted = false
    /// Whether it is the result of a renewal, without the user.
    var isRenewed = false
    /// The number of the flight whose login has brought it; `nil` if it comes from elsewhere, for example from a store or a renewal.
    var flight: UInt64?
    /// Whether the application has brought it, and no request can carry it yet. It then still belongs to the application.
    var isAdopted = false
    /// The right to revoke it, which all copies share, since logouts can find the same credential in several places.
    var revocation = RevocationRight()
    /// The number of times that responses have changed its fields.
    private(set) var revision = 0
    /// Whether it can be renewed without the user: it has the required values, and no server has refused its renewal.
    var isRenewable: Bool

    /// The names of the header fields, of the query parameters after a `?`, and of the body's members after a `{` or a `&`.
    var attachedNames: Set<String> {
        let mark = members?.format == .json ? "{" : "&"
        let query = parameters.map(\.name) + ((signature as? ComputedFieldsSigner)?.parameterNames ?? [])
        return Set(
            fields.map(\.name.canonicalName) + query.map { "?\($0)" } + limited.map(\.place)
                + (members?.members ?? []).map { mark + $0.name })
    }

    /// ``attachedNames``, and the recipients that the credential names after a `@`.
    ///
    /// The stored value of a field that was no recipient when it was captured was perhaps not limited by `within`.
    var attachedPlaces: Set<String> { attachedNames.union(recipients.map { "@\($0)" }) }

    /// Whether requests no longer carry it: its lifetime has ended, or it has no cookies left.
    func hasExpired(at now: Duration) -> Bool { hasRunOut(at: now) || cookies?.isEmpty == true }

    /// Whether it is of no use any more: it has expired, and cannot be renewed.
    func isSpent(at now: Duration) -> Bool { hasExpired(at: now) && !isRenewable }

    /// Returns the same credential with the values of another one, as requests carry them from now on.
    func changed(as other: HeldCredential) -> HeldCredential {
        var changed = self
        changed.values = other.values
        changed.fields = other.fields
        changed.parameters = other.parameters
        changed.limited = other.limited
        changed.members = other.members
        changed.signature = other.signature
        changed.revision += 1
        return changed
    }

    /// Whether its lifetime has ended.
    func hasRunOut(at now: Duration) -> Bool { lifetime.phase(at: now) == .expired }

    /// Whether requests with this credential equal those with another one, so that a server which refuses one refuses both.
    func isSent(as other: HeldCredential) -> Bool {
        if let token, let other = other.token { return token.accessToken == other.accessToken }
        return cookies == nil && !values.isEmpty
            && (identity == nil
                ? values == other.values
                : identity == other.identity && fields == other.fields && parameters == other.parameters
                    && limited == other.limited && members == other.members)
    }
}

extension HeldCredential: RedactedDescription {}

/// The right to revoke a credential, which is exercised once: many servers refuse a second revocation.
final class RevocationRight: Sendable {
    private let taken = Atomic(false)

    /// Whether it has been exercised.
    var isTaken: Bool { taken.load(ordering: .acquiring) }

    /// Returns whether this is the first call.
    func take() -> Bool { !taken.exchange(true, ordering: .acquiringAndReleasing) }
}

/// The changes of a login to the session's cookies. Changes by others during the login are kept.
struct CookieLogin: Sendable {
    /// The cookies at the start of the login.
    let before: CookieJar.Snapshot
    /// The cookies at its end.
    var after: CookieJar.Snapshot
}

/// The refusals in a row.
struct Refusals: Sendable {
    /// The number of refusals. Those of credentials that a server has accepted are not counted.
    var count = 0
    /// The values of the refused credentials, the latest last.
    var values: [[ProgramValue]] = []
    /// The names of the challenges after which the credentials of the row were obtained, including the current one.
    var challenges: [String] = []
}

/// The parts of a credential that are attached to a request.
struct PresentCredential: Sendable {
    let fields: [HTTPField]
    let parameters: [FormParameters.Parameter]
    /// The header fields and query parameters that only requests of some HTTP methods carry.
    let limited: [LimitedPart]
    let members: BodyMembers?
    let signer: DigestSigner?
    var signature: (any RequestSigning)?
    let cookies: CookieJar?
    let identity: ConnectionIdentity?
    /// The origins that the credential itself names as its recipients.
    let recipients: Set<Origin>
    /// The generation as an exchange carries it.
    let generation: Generation
    /// The number of times that responses have changed the credential.
    var revision = 0

    /// Adds the header fields and the query parameters to a request, whose body may be about to get members.
    func add(to request: inout HTTPRequest, body: RequestBody) {
        for field in fields { request.headerFields.append(field) }
        for parameter in parameters { request.append(parameter) }
        for part in limited { part.add(to: &request) }
        members?.describe(in: &request, body: body)
    }

    /// The names of the header fields, including those that only some requests carry.
    var fieldNames: [HTTPField.Name] { fields.map(\.name) + limited.compactMap(\.field?.name) }

    /// Whether a request has one of the header fields that it would carry.
    func hasField(in request: HTTPRequest) -> Bool {
        fields.contains { request.headerFields.contains($0.name) }
            || limited.contains { part in part.isFor(request) && part.field.map { request.headerFields.contains($0.name) } == true }
    }

    /// Removes the header fields that a request would carry.
    func removeFields(from request: inout HTTPRequest) {
        for field in fields { request.headerFields[fields: field.name] = [] }
        for part in limited where part.isFor(request) {
            if let field = part.field { request.headerFields[fields: field.name] = [] }
        }
    }

    /// Returns a request's body with the members of the credential.
    func body(of exchange: ExchangeContext) -> RequestBody { members?.added(to: exchange.body) ?? exchange.body }

    /// Returns the attachment of the whole credential.
    ///
    /// - Parameter rest: The attachment of the credential without its members in the body.
    func attachment(_ rest: Attachment) -> Attachment { members.map { .body($0, rest) } ?? rest }

    /// Returns the credential with a nonce in its proofs.
    func proving(_ nonce: String) -> PresentCredential {
        guard var proof = signature as? ProofSigner else { return self }
        proof.nonce = nonce
        var credential = self
        credential.signature = proof
        return credential
    }
}
