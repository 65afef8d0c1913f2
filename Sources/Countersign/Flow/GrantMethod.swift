#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A method whose success is a token of OAuth 2.0: how a challenge looks, what its errors are. Its grants say how tokens are got.
///
/// Generated from a spec, executed by ``GrantAuthenticator``.
public struct GrantMethod<Failure: AuthenticationError>: Sendable {
    /// The name in the spec, such as `OAuth2`.
    public let name: String
    /// One sentence.
    public let summary: String
    /// Any of these is a challenge.
    public let challenges: [ChallengePattern]
    /// The method's error for a token that is challenged as soon as it is used.
    public let rejection: Failure?
    /// The errors of the method, for documentation.
    public let errors: [ErrorDescription]
    /// How the mock landscape plays the server.
    public let mock: MockDescription
    /// The method's error when a direct authentication is asked for while another runs.
    public let busy: Failure?
    /// The method's error for an authentication that was cancelled.
    public let cancellation: Failure?
    /// The method's error for an argument that cannot be used, such as a URL that is neither http nor https.
    public let invalidArgument: (@Sendable (_ detail: String) -> Failure)?

    /// Makes a method.
    public init(
        name: String, summary: String, challenges: [ChallengePattern], rejection: Failure?, errors: [ErrorDescription],
        mock: MockDescription, busy: Failure?, cancellation: Failure?, invalidArgument: (@Sendable (_ detail: String) -> Failure)?
    ) {
        self.name = name
        self.summary = summary
        self.challenges = challenges
        self.rejection = rejection
        self.errors = errors
        self.mock = mock
        self.busy = busy
        self.cancellation = cancellation
        self.invalidArgument = invalidArgument
    }
}

/// A way to a token: the steps without one, and those with a refresh token.
public struct TokenGrant<Values: GrantValues, Failure: AuthenticationError>: Sendable {
    /// The name in the spec, such as `authorization-code`.
    public let name: String
    /// The servers that the token is for, as far as the parameters name them; none leaves it to who makes an observer.
    public let servers: @Sendable (Values.Parameters) -> [URL]
    /// The steps to a token.
    public let authenticate: [Step<Values, Failure>]
    /// The steps to a new token for the refresh token of another; empty where there is no such way.
    public let refresh: [Step<Values, Failure>]

    /// Makes a grant.
    public init(
        name: String, servers: @escaping @Sendable (Values.Parameters) -> [URL] = { _ in [] },
        authenticate: [Step<Values, Failure>], refresh: [Step<Values, Failure>]
    ) {
        self.name = name
        self.servers = servers
        self.authenticate = authenticate
        self.refresh = refresh
    }
}

/// A grant whose parameters are good for one use, and the grant that takes over from it.
///
/// The first token comes by ``first``; renewals and every later login are the business of ``next``, with parameters made of the same.
public struct HandoverGrant<First: GrantValues, Next: GrantValues, Failure: AuthenticationError>: Sendable {
    /// The grant that is run once.
    public let first: TokenGrant<First, Failure>
    /// How long after its authenticator is made it can be run; `nil` for as long as there is.
    public let life: Duration?
    /// The grant that takes over.
    public let next: TokenGrant<Next, Failure>
    /// What that one is run with.
    public let parameters: @Sendable (First.Parameters) -> Next.Parameters

    /// Makes a grant.
    public init(
        first: TokenGrant<First, Failure>, within life: Duration? = nil, next: TokenGrant<Next, Failure>,
        parameters: @escaping @Sendable (First.Parameters) -> Next.Parameters
    ) {
        self.first = first
        self.life = life
        self.next = next
        self.parameters = parameters
    }
}

/// What the steps of a grant read and fill: the parameters, the token that is renewed, and a slot for each generated or captured value.
public protocol GrantValues: Sendable {
    associatedtype Parameters: Sendable

    /// The token that is renewed, if one is.
    var token: OAuth2Token? { get set }

    /// Makes the values for one run, with random values of its own.
    init(parameters: Parameters)
}
