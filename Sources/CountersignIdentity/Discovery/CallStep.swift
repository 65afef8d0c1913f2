public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
