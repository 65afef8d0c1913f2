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
