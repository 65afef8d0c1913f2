/// A service that client certificates are obtained from.
public struct ResolvedDiscovery: Sendable {
    /// The name of the generated class.
    public var name: Located<String>
    /// The stem of the file, which names the generated file.
    public var stem: String
    /// The spec's file name with its landscape folder, for generated comments.
    public var origin: String
    public var documentation: Documentation
    public var parameters: ResolvedParameters
    /// The label of initialisers that take the parameters, if it is not `parameters`.
    public var label: Located<String>?
    /// The field with the pins of the servers that are called.
    public var pins: Located<String>?
    /// The property with an access token for the calls.
    public var bearer: Located<String>?
    public var obtain: [ResolvedDiscoveryStep]
    public var retire: [ResolvedDiscoveryStep]
    public var cancelled: Located<String>?
    public var errors: ResolvedErrorType
}

extension ResolvedDiscovery {
    /// Whether the application is asked for input.
    public var asks: Bool { obtain.contains(where: \.isAsking) }
}

extension ResolvedDiscoveryStep {
    /// Whether the application is asked for input.
    var isAsking: Bool { if case .rounds = action { true } else { false } }
}

/// One step on the way to a certificate.
public struct ResolvedDiscoveryStep: Sendable {
    public var location: SourceLocation
    public var action: Action
    /// Error cases by failure, in the order of the file.
    public var failures: [(failure: DiscoveryFailure, errorCase: Located<String>)]

    public enum Action: Sendable {
        case call(ResolvedCall)
        case rounds(ResolvedRounds)
        case key(ResolvedKey)
        case certificateRequest(subject: ResolvedTemplate?, dns: ResolvedTemplate?, email: ResolvedTemplate?)
        case identity(ResolvedTemplate)
    }
}

/// What a step on the way to a certificate can fail with.
public enum DiscoveryFailure: String, Sendable, Hashable, CaseIterable {
    case status, network, missing, refused, late, endless, name, key, certificate, mismatch
}

/// A request, and what is taken out of the JSON that comes back.
public struct ResolvedCall: Sendable {
    public var method: ResolvedProgram.Call.Method
    public var url: ResolvedTemplate
    public var body: Body
    public var statuses: [Int]
    public var captures: [Capture]
    /// Where another answer says why, as a JSON Pointer.
    public var message: String?

    /// What is sent.
    public enum Body: Sendable {
        case nothing
        case json([NamedTemplate])
        case form([NamedTemplate])
        case certificateRequest
    }

    public struct Capture: Sendable {
        public var slot: Located<String>
        /// A JSON Pointer (RFC 6901), or `body`.
        public var pointer: String
        public var isOptional: Bool
    }
}

/// Rounds of input.
public struct ResolvedRounds: Sendable {
    /// What is sent with the values, where to, and what is taken out of the last answer.
    public var call: ResolvedCall
    /// The member of a JSON object that has the values; `nil` in a form.
    public var values: String?
    public var limit: Int
    public var within: Located<String>?
    /// JSON Pointers by their keys in the spec, in the order of the language.
    public var page: [(key: PageKey, text: String)]

    public enum PageKey: String, Sendable, Hashable, CaseIterable {
        case fields, name, prompt, preset, type, hidden, confirms, message
        case messageType = "message-type"
        case disclaimer
    }
}

/// A private key that is made.
public struct ResolvedKey: Sendable {
    /// A reference whose value is the name of a kind.
    public var named: ResolvedTemplate?
    public var otherwise: Kind

    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case p256, rsa2048
    }
}
