/// The placement of a credential in a request.
public enum CredentialPlacement: Sendable, Hashable {
    /// A header field, by its name. A server can choose the name: then it is a field of the credential, without which no name is
    /// known. Only requests with one of the HTTP methods carry it; those of every method if there are none.
    case header(ProgramTemplate, ProgramTemplate, methods: [String] = [])
    /// A parameter of the URL's query, by its name.
    ///
    /// It is added before signatures, which cover it. Only the transport receives the URL with it. Only requests with one of the HTTP
    /// methods carry it; those of every method if there are none.
    case query(ProgramTemplate, ProgramTemplate, methods: [String] = [])
    /// A member of the JSON object in the body, by its name. It is added before signatures, which cover it.
    case json(ProgramTemplate, JSONTemplate)
    /// A field of the form in the body, by its name. It is added before signatures, which cover it.
    case form(ProgramTemplate, ProgramTemplate)
    /// The `Authorization` field with the Basic scheme (RFC 7617).
    case basic(user: ProgramTemplate, password: ProgramTemplate)
    /// The `Authorization` field with the Digest scheme (RFC 7616), computed for each request.
    case digest(user: ProgramTemplate, password: ProgramTemplate)
    /// Header fields or query items that sign each request.
    case signature(SignatureVersion4)
    /// The client certificate of connections, in a slot.
    case connection(Int)
    /// Header fields that sign each request by HTTP Message Signatures (RFC 9421).
    case messageSignature(MessageSignature)
    /// Header fields and parameters of the URL's query with values that are computed for each request. Each function can use the
    /// results of those before it.
    ///
    /// The parameters follow those of the other placements in the order of the list. Each is added as soon as all functions have
    /// run whose results it, or one before it, contains. ``RequestPart/query`` and ``RequestPart/target`` have the parameters that
    /// have been added by then. Only the transport receives the URL with the parameters.
    case computed([ProgramFunction], headers: NamedList<HTTPCall.Member> = [:], query: NamedList<HTTPCall.Member> = [:])
    /// The `DPoP` field with a proof for each request (RFC 9449). The token is in another placement.
    case proof(ProofOfPossession)
    /// The `Authorization` field with the Negotiate scheme (RFC 4559), computed for each request.
    case negotiate(Negotiation)
}

extension CredentialPlacement {
    /// Whether the placement sends a secret, even if the spec does not mark its values as secret.
    var isPassword: Bool {
        switch self {
        case .basic, .digest, .signature, .messageSignature, .negotiate: true
        case .header, .query, .json, .form, .connection, .computed, .proof: false
        }
    }
}
