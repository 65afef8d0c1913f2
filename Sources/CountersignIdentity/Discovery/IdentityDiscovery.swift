public import Countersign

/// A service that client certificates are obtained from, as a spec describes it: the steps to a certificate, and those that retire one.
///
/// Generated from a spec, executed by ``DiscoveryCore``.
public struct IdentityDiscovery<Values: DiscoveryValues, Failure: AuthenticationError>: Sendable {
    /// The name in the spec, such as `SLSUserIdentityDiscovery`.
    public let name: String
    /// The pins of the servers that are called; none accepts every server that TLS accepts.
    public let pins: @Sendable (Values.Parameters) -> [String]
    /// The steps to a certificate; the last makes the identity.
    public let obtain: [DiscoveryStep<Values, Failure>]
    /// The calls that retire a certificate; empty where there is no such way.
    public let retire: [DiscoveryStep<Values, Failure>]
    /// The error for steps that were cancelled.
    public let cancellation: Failure?

    /// Makes a discovery.
    public init(
        name: String, pins: @escaping @Sendable (Values.Parameters) -> [String] = { _ in [] },
        obtain: [DiscoveryStep<Values, Failure>], retire: [DiscoveryStep<Values, Failure>] = [], cancellation: Failure?
    ) {
        self.name = name
        self.pins = pins
        self.obtain = obtain
        self.retire = retire
        self.cancellation = cancellation
    }
}

/// What the steps of a discovery read and fill: the parameters, and a slot for each captured value.
public protocol DiscoveryValues: Sendable {
    associatedtype Parameters: Sendable

    /// What the discovery is run with.
    var parameters: Parameters { get }
    /// What a `certificate-request` step has made.
    var certificateRequest: CertificateRequest? { get set }
    /// The identity that is retired.
    var identity: ClientIdentity? { get set }

    /// Makes the values for one run.
    init(parameters: Parameters)
}
