#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// Sends a form to a token endpoint and decodes the token from the answer (RFC 6749, section 3.2).
public struct RequestStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The token endpoint.
    public let url: Template<Values, URL>
    /// How the client says and proves who it is; `nil` where the form says it, or ``prepare`` does.
    public let client: ClientTemplate<Values>?
    /// What is sent.
    public let form: [NamedTemplate<Values>]
    /// The application's last word on the request, if the values have one.
    public let prepare: @Sendable (Values) -> RequestPreparation?
    /// The method's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (RequestFailure) -> Failure?

    /// Makes a step.
    public init(
        url: Template<Values, URL>, client: ClientTemplate<Values>?, form: [NamedTemplate<Values>],
        prepare: @escaping @Sendable (Values) -> RequestPreparation? = { _ in nil },
        failure: @escaping @Sendable (RequestFailure) -> Failure?
    ) {
        self.url = url
        self.client = client
        self.form = form
        self.prepare = prepare
        self.failure = failure
    }
}

/// Changes a request before it is sent; gets head and body.
public typealias RequestPreparation = @Sendable (inout HTTPRequest, inout [UInt8]) throws -> Void

/// A client of an authorization server, as a spec describes it.
public struct ClientTemplate<Values: Sendable>: Sendable {
    /// The `client_id`; `nil` where there is none to say.
    public let id: Template<Values, String?>
    /// The secret; `nil` makes it a public client, which only says its name.
    public let secret: Template<Values, String?>
    /// How the secret is shown.
    public let authentication: Authentication

    /// How a client with a secret proves who it is (RFC 6749, section 2.3.1).
    public enum Authentication: String, Sendable, Hashable, CaseIterable {
        /// HTTP Basic of name and secret, each encoded as in a form first, as the RFC has it.
        case basic
        /// HTTP Basic of both as they are, which some servers expect instead.
        case rawBasic = "raw-basic"
        /// `client_id` and `client_secret` in the form.
        case body
    }

    /// Makes a client.
    public init(id: Template<Values, String?>, secret: Template<Values, String?>, authentication: Authentication) {
        self.id = id
        self.secret = secret
        self.authentication = authentication
    }
}

/// Why a token endpoint gave no token.
public enum RequestFailure: SecretFreeError, Sendable, Hashable {
    /// No connection could be made, or it was lost.
    case network(TransportError)
    /// The connection brought no whole response of HTTP.
    case noResponse(TransportError)
    /// The server said why (RFC 6749, section 5.2), with this status.
    case server(OAuth2ServerError, status: Int)
    /// A status without an explanation. Redirects are among them: a form that holds secrets is sent nowhere else.
    case status(ResponseOutline)
    /// A response of status 200 without a token that could be used, and what is wrong with it.
    case unreadable(ResponseOutline, problem: String)
}

extension RequestFailure: LocalizedError {
    /// What happened, without anything that could be secret.
    public var description: String { "\(["POST", origin?.description].compactMap { $0 }.joined(separator: " ")): \(summary)" }
    public var errorDescription: String? { description }
}

/// What may be shown of a response: no value of its body, and of its fields only those that hold no secret.
public struct ResponseOutline: Sendable, Hashable {
    /// Where it came from, without the query.
    public let url: URL
    /// Its status.
    public let status: Int
    /// The fields that say how it was sent, such as `Content-Type` and `Retry-After`.
    public let fields: HTTPFields
    /// The names of the body's members, as a JSON object with `"<redacted>"` for each value; empty where the body is no JSON object.
    public let body: String

    /// Makes an outline.
    public init(url: URL, status: Int, fields: HTTPFields, body: String) {
        self.url = url
        self.status = status
        self.fields = fields
        self.body = body
    }
}
