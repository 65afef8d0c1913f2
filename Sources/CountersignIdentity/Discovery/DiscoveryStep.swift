#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import Countersign

/// One step of a discovery, as the spec lists it.
public enum DiscoveryStep<Values: DiscoveryValues, Failure: AuthenticationError>: Sendable {
    /// Sends a request, and takes values out of the JSON that comes back.
    case call(CallStep<Values, Failure>)
    /// Asks the application what the server wants to know, as long as it wants to know more.
    case rounds(RoundsStep<Values, Failure>)
    /// Makes a private key.
    case key(KeyStep<Values, Failure>)
    /// Signs a certificate request for the key.
    case certificateRequest(CertificateRequestStep<Values, Failure>)
    /// Makes the identity of the key and the certificates that came.
    case identity(IdentityStep<Values, Failure>)
}

extension DiscoveryStep {
    /// The step's word in a spec.
    var word: String {
        switch self {
        case .call: "call"
        case .rounds: "rounds"
        case .key: "key"
        case .certificateRequest: "certificate-request"
        case .identity: "identity"
        }
    }
}

/// Sends a request, and takes values out of the JSON that comes back.
public struct CallStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// `GET`, `POST`, `PUT` or `DELETE`.
    public let method: String
    /// Where it is sent.
    public let url: Template<Values, URL>
    /// What is sent with `POST` and `PUT`.
    public let body: Body
    /// The statuses that say that it went well.
    public let statuses: [Int]
    /// What is taken out of the answer.
    public let captures: [Capture]
    /// Where another answer says why, as a JSON Pointer; `nil` for nowhere.
    public let message: String?
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// What a call sends.
    public enum Body: Sendable {
        /// Nothing.
        case nothing
        /// An object of JSON with texts for members.
        case json([NamedTemplate<Values>])
        /// A form, as browsers encode it.
        case form([NamedTemplate<Values>])
        /// The certificate request as `application/pkcs10` (RFC 5967).
        case certificateRequest
    }

    /// What the answer may be.
    var accepts: String { captures.contains { $0.pointer == "body" } ? "*/*" : "application/json" }

    /// A value of the answer, and its slot.
    public struct Capture: Sendable {
        /// Where it is, as a JSON Pointer (RFC 6901); `body` for all of the answer: as it is if it is text, otherwise in base64.
        public let pointer: String
        /// Whether it can be absent.
        public let isOptional: Bool
        /// Fills the slot.
        public let store: @Sendable (inout Values, [String]) -> Void

        /// Makes a capture.
        public init(_ pointer: String, isOptional: Bool = false, store: @escaping @Sendable (inout Values, [String]) -> Void) {
            self.pointer = pointer
            self.isOptional = isOptional
            self.store = store
        }
    }

    /// Makes a step.
    public init(
        _ method: String, url: Template<Values, URL>, body: Body = .nothing, statuses: [Int] = [200],
        captures: [Capture] = [], message: String? = nil, failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.statuses = statuses
        self.captures = captures
        self.message = message
        self.failure = failure
    }
}

/// Asks the application what the server's last answer wants to know, sends that, and goes on until the server asks for no more.
public struct RoundsStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// What the values are sent with, where to, and what is taken out of the last answer.
    public let call: CallStep<Values, Failure>
    /// The member of the JSON object that has the values; `nil` in a form, where they stand beside what it has.
    public let values: String?
    /// How an answer says what it asks for.
    public let page: LoginPage
    /// The most rounds.
    public let limit: Int
    /// How long one answer of the application may take.
    public let within: Duration

    /// Makes a step.
    public init(
        _ call: CallStep<Values, Failure>, values: String? = nil, page: LoginPage, limit: Int = 10, within: Duration = .seconds(120)
    ) {
        self.call = call
        self.values = values
        self.page = page
        self.limit = limit
        self.within = within
    }
}

/// Makes a private key.
public struct KeyStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The name of a kind, `p256` or `rsa2048`; empty for ``otherwise``.
    public let kind: @Sendable (Values) -> [String]
    /// The kind where nothing names one.
    public let otherwise: IdentityKey.Kind
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        kind: @escaping @Sendable (Values) -> [String] = { _ in [] }, otherwise: IdentityKey.Kind,
        failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.kind = kind
        self.otherwise = otherwise
        self.failure = failure
    }
}

/// Signs a certificate request.
public struct CertificateRequestStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// The distinguished name (RFC 4514); empty for none.
    public let subject: @Sendable (Values) -> [String]
    /// Names of hosts.
    public let dns: @Sendable (Values) -> [String]
    /// E-mail addresses.
    public let email: @Sendable (Values) -> [String]
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        subject: @escaping @Sendable (Values) -> [String] = { _ in [] },
        dns: @escaping @Sendable (Values) -> [String] = { _ in [] },
        email: @escaping @Sendable (Values) -> [String] = { _ in [] }, failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.subject = subject
        self.dns = dns
        self.email = email
        self.failure = failure
    }
}

/// Makes an identity.
public struct IdentityStep<Values: Sendable, Failure: AuthenticationError>: Sendable {
    /// Texts with certificates: PEM, or base64 of DER.
    public let certificates: @Sendable (Values) -> [String]
    /// The discovery's error for what went wrong; `nil` where the spec maps none.
    public let failure: @Sendable (DiscoveryFailure) -> Failure?

    /// Makes a step.
    public init(
        certificates: @escaping @Sendable (Values) -> [String], failure: @escaping @Sendable (DiscoveryFailure) -> Failure?
    ) {
        self.certificates = certificates
        self.failure = failure
    }
}
