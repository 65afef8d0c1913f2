#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A ``MethodProgram`` with the values of its parameters and the application's objects that take part in it. It does not depend
/// on the method's generated types.
struct PreparedProgram: Sendable {
    let program: MethodProgram
    /// The values of the parameters by slot; those of all other slots are absent.
    let parameters: [ProgramValue]
    let prompter: (any ProgramPrompting)?
    /// Returns the presenter of the method's pages; `nil` uses the session's.
    var presenter: @Sendable () -> (any WebPresenter)?
    /// The method's pages that wait for another application; `nil` if there are none.
    let callbacks: AuthenticatorCallbacks?
    /// The application's hooks, unless an exchange has its own.
    private(set) var hooks: ApplicationHooks
    /// Returns the review of a session, which can refuse credentials that no request has asked for, and receives all failures.
    private(set) var review: @Sendable (Session) -> AuthenticationReview?
    /// The warnings that have been reported.
    let warnings: ReportedWarnings
    /// The source of tokens if the credential is a token. It replaces ``MethodProgram/acquire`` and ``MethodProgram/renewal``.
    var tokens: (any TokenSource)?
    /// Whether the program is an operation of a landscape, which no challenge starts.
    let isOperation: Bool
    /// Returns the application's function that prepares a token request, by slot.
    let preparation: @Sendable (Int) -> RequestPreparation?
    /// The functions of steps that are implemented outside of the core module.
    let tools: ProgramTools
    /// The documents and keys that were fetched from the method's servers.
    let publications: Publications
    /// The nonces that the method's servers require in proofs of possession.
    let nonces = ProofNonces()
    /// The order of prompts for single requests.
    let turns = KeyedLocks()
    /// The refused logins of single requests.
    let refusedLogins = SharedRefusedLogins()
    private let makeError: MakesError

    /// Creates an error of the method; see ``ProgramParameters/error(_:_:_:)``.
    typealias MakesError = @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?

    /// - Parameters:
    ///   - values: The values of the parameters, by slot.
    ///   - error: Creates an error of the method.
    ///   - callbacks: The pages that wait for another application; `nil` for those of this program only.
    ///   - review: The review of credentials that no request has asked for; `nil` for that of `hooks`.
    ///   - publications: The fetched documents and keys, if they are shared with other programs.
    init(
        _ program: MethodProgram, values: [ProgramValue], prompter: (any ProgramPrompting)? = nil,
        presenter: @escaping @Sendable () -> (any WebPresenter)? = { nil }, callbacks: AuthenticatorCallbacks? = nil,
        hooks: ApplicationHooks = ApplicationHooks(), review: (@Sendable (Session) -> AuthenticationReview?)? = nil,
        warnings: ReportedWarnings = ReportedWarnings(), isOperation: Bool = false,
        preparation: @escaping @Sendable (Int) -> RequestPreparation? = { _ in nil },
        tools: ProgramTools = ProgramTools(), publications: Publications = Publications(),
        error: @escaping MakesError
    ) {
        self.isOperation = isOperation
        self.publications = publications
        self.preparation = preparation
        self.tools = tools
        self.program = program
        parameters = values
        self.prompter = prompter
        self.presenter = presenter
        self.callbacks = callbacks ?? AuthenticatorCallbacks(of: program)
        self.hooks = hooks
        self.review = review ?? { _ in hooks.review }
        self.warnings = warnings
        makeError = error
    }

    init<Parameters: ProgramParameters>(
        _ parameters: Parameters, prompter: (any ProgramPrompting)?, hooks: ApplicationHooks = ApplicationHooks()
    ) {
        self.init(
            Parameters.program, values: parameters.values, prompter: prompter, hooks: hooks,
            preparation: { parameters.preparation(at: $0) }, tools: Parameters.allTools, error: Parameters.error)
    }

    /// Returns the program with other hooks.
    func with(_ hooks: ApplicationHooks) -> PreparedProgram {
        var method = self
        method.hooks = hooks
        method.review = { _ in hooks.review }
        return method
    }

    /// Returns an error of the method; `nil` if it has none with this number.
    func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        makeError(number, detail, cause)
    }

    /// Whether the credential consists of the session's own cookies.
    var usesSessionCookies: Bool { program.credential.isSessionCookies }

    /// The slots of the credential's fields and cookies.
    var credentialSlots: [Int] { program.credential.fields.map(\.slot) + [program.credential.cookies].compactMap(\.self) }

    /// The slots that hold the values of the previous credential, each with the slot of the field.
    var slotsBefore: [(slot: Int, field: Int)] {
        program.credential.fields.compactMap { field in
            let name = "before.\(program.slots[field.slot].name)"
            return program.slots.firstIndex { $0.name == name }.map { ($0, field.slot) }
        }
    }

    /// Whether obtaining a credential may involve the user.
    var isInteractive: Bool {
        if let tokens { return tokens.isInteractive }
        return program.acquire.contains { $0.page != nil } || prompter != nil && program.acquire.contains(where: \.isPrompt)
    }

    /// Whether the credential is an OAuth 2.0 token. It is then loaded from the store before the first request, and an expired
    /// token is replaced before the next request, even if this involves the user.
    var isToken: Bool { program.credential.token != nil }

    /// Whether a credential can be obtained from anything other than a challenge.
    var obtains: Bool { isToken || !program.acquire.isEmpty }

    /// Whether refusals by servers are counted, and a credential is discarded if it is refused too often. Otherwise the first
    /// challenge to a request asks for another credential, even if servers have accepted the current one, and the second one
    /// fails only that request.
    var countsRefusals: Bool { !usesSessionCookies && !isToken }

    /// Whether obtaining a credential only asks the application, which already has it.
    var onlyAsks: Bool { !program.acquire.isEmpty && program.acquire.allSatisfy(\.isPrompt) }

    /// Whether requests obtain the credential without a challenge, before it expires or when it has expired. The user is involved
    /// only for a token or for a credential that requests carry from the first one on.
    ///
    /// A challenge with values for the steps, even optional ones such as a scope, is waited for: a credential without them could be
    /// refused. An application that calls ``obtainsWithoutChallenge`` methods in advance accepts that.
    var acquiresUnasked: Bool {
        isToken
            || program.credential.isEager
            || !isInteractive && !program.acquire.isEmpty && !usesDigest && !program.slots.contains { $0.source == .challenge }
    }

    /// Whether a new credential is obtained ahead of time, while requests continue to use the current one.
    var acquiresEarly: Bool { isToken ? !isInteractive : acquiresUnasked }

    /// Whether a logout revokes credentials that a server has issued and that no request has carried. A login whose credential is the
    /// session's cookies leaves nothing outside of them.
    var revokesUnused: Bool { !program.end.isEmpty && !usesSessionCookies }

    /// Whether a credential can be renewed without the user.
    ///
    /// - Parameter values: All values by slot.
    func canRenew(_ values: [ProgramValue]) -> Bool {
        program.renewal.map { $0.needs.allSatisfy { values[$0] != .absent } } ?? false
    }

    /// The names of the header fields that carry the credential, except those that the credential itself names.
    var fieldNames: [HTTPField.Name] {
        program.attach.flatMap { $0.fieldNames(parameters) } + unplacedFieldNames
    }

    /// The names of the header fields that carry the credential without a placement.
    var unplacedFieldNames: [HTTPField.Name] {
        (program.credential.cookies == nil ? [] : [.cookie]) + (isToken ? [.authorization] : [])
    }

    /// The names of the header fields that announce the client's capabilities.
    var announcedNames: [HTTPField.Name] {
        program.announcements.compactMap { $0.name.text(parameters).flatMap { HTTPField.Name($0) } }
    }

    /// Whether the credential itself names a header field that carries it.
    var namesFields: Bool { program.attach.contains { $0.isNamedByCredential(parameters) } }

    /// Whether the credential is the client certificate of connections.
    var usesConnection: Bool { program.attach.contains { if case .connection = $0 { true } else { false } } }

    /// Whether requests are signed by the Digest scheme.
    var usesDigest: Bool { program.attach.contains { if case .digest = $0 { true } else { false } } }

    /// The settings of the Negotiate scheme; `nil` if requests do not use it.
    var negotiation: Negotiation? {
        program.attach.lazy.compactMap { if case .negotiate(let negotiation) = $0 { negotiation } else { nil } }.first
    }

    /// Whether requests prove that they come from the client that the credential was issued to.
    var provesPossession: Bool { program.attach.contains { if case .proof = $0 { true } else { false } } }

    /// Whether a credential contains a secret that must not be sent unencrypted.
    var isSecret: Bool {
        guard !usesSessionCookies else { return false }
        return isToken || program.slots.contains(where: \.isSecret) || program.attach.contains(where: \.isPassword)
    }

    /// The maximum number of flights that one request can need: the stored credential, a renewal, the first credential, one after
    /// each refusal, and the end.
    var mostFlightsOfARequest: Int {
        guard countsRefusals else { return 1 }
        return 3 + (program.renewal == nil ? 0 : 1) + (program.rejections.map(\.retries).max() ?? 0)
    }

    /// The origins that may receive the credential; `nil` for the first origin that the application requests.
    var destinations: ProtectedOrigins? {
        let named = program.credential.destinations.filter { parameters[$0] != .absent }
        if named.isEmpty, program.credential.isForRequested { return nil }
        let origins = named.map { parameters[$0].origins }
        if origins.contains(.anywhere) { return .anywhere }
        return ProtectedOrigins(origins: Set(origins.compactMap(\.origins).joined()))
    }

    /// Whether the application or the spec names the server of a URL, rather than a response of another server.
    ///
    /// - Parameter template: The template of the URL in the spec; `nil` if it has none.
    func namesServer(of url: URL, from template: ProgramTemplate?) -> Bool {
        if let template, template.slots.allSatisfy({ program.slots[$0].source == .parameter }) { return true }
        guard let origin = Origin(url) else { return false }
        return parameters.contains { $0.origins.origins?.contains(origin) ?? false }
    }

    /// Whether a credential itself names servers that receive it, in addition to ``destinations``.
    var namesRecipients: Bool { !program.credential.recipients.isEmpty }

    /// Returns the origins that a credential names, except those to which it would be sent unencrypted.
    ///
    /// - Parameter values: All values by slot.
    func recipients(_ values: [ProgramValue]) -> Set<Origin> {
        Set(
            program.credential.recipients.compactMap { slot -> Origin? in
                guard let text = values[slot].text, let url = URL(string: text), let origin = Origin(url) else { return nil }
                return origin.isPrivate ? origin : nil
            })
    }

    /// Whether each challenged request has its own credential.
    var isForOneRequest: Bool { program.credential.space == .request }

    /// Returns the protection space of an exchange, for a credential that is for one request.
    func ownPlace(in exchange: ExchangeContext) -> ProtectionSpace {
        ProtectionSpace(server: exchange.origin, separators: [], exchange: exchange.number)
    }

    /// The place of the credential in bodies; `nil` if it is not in bodies.
    var bodyPlace: BodyPlace? {
        let members = program.attach.compactMap { $0.memberName(parameters) }
        return members.first.map { BodyPlace(format: $0.format, names: members.map(\.name)) }
    }

    /// Returns the protection space of a challenge.
    func place(of challenge: ChallengeReading, at origin: Origin) -> ProtectionSpace {
        let server = program.credential.space == .servers || usesSessionCookies ? nil : origin
        guard !program.credential.separators.isEmpty else { return ProtectionSpace(server: server, separators: []) }
        var values = parameters
        for (slot, value) in challenge.values { values[slot] = value }
        return ProtectionSpace(
            server: server, separators: program.credential.separators.map { $0.text(values, origin: origin) })
    }

    /// The redirects that end the login pages.
    var redirects: [AuthorizationRedirect] {
        if let tokens { return tokens.redirects }
        return program.acquire.enumerated().compactMap { index, step in
            step.page.flatMap {
                AuthorizationRedirect(of: $0, before: program.acquire[(index + 1)...], with: parameters, of: self)
            }
        }
    }

    /// Returns the non-secret values of a challenge, by their names in the spec.
    func texts(of challenge: ChallengeReading) -> [String: String] {
        var texts: [String: String] = [:]
        for (slot, value) in challenge.values where !program.slots[slot].isSecret { texts[program.slots[slot].name] = value.text }
        return texts
    }
}
