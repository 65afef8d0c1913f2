/// A value that a step of a flow leaves for later ones, by the name in references.
public enum FlowSlot: Sendable, Hashable {
    /// `{generated.state}`
    case state
    /// `{generated.code_verifier}`
    case codeVerifier
    /// `{generated.code_challenge}`: the verifier's S256 challenge.
    case codeChallenge
    /// `{captured.name}`: what a redirect brought.
    case captured(String)
    /// `{token.access_token}`: the token that is renewed.
    case accessToken
    /// `{token.refresh_token}`
    case refreshToken

    /// The name in references.
    public var reference: String {
        switch self {
        case .state: "generated.state"
        case .codeVerifier: "generated.code_verifier"
        case .codeChallenge: "generated.code_challenge"
        case .captured(let name): "captured.\(name)"
        case .accessToken: "token.access_token"
        case .refreshToken: "token.refresh_token"
        }
    }

    /// What it holds: a text that may be seen, or a secret.
    public var type: FieldType {
        switch self {
        case .state, .codeChallenge: .string
        case .codeVerifier, .captured, .accessToken, .refreshToken: .secret
        }
    }
}
