/// A function that creates or reads keys and certificates.
public enum CertificateFunction: Sendable, Hashable {
    /// Creates a private key of a kind: `p256` or `rsa2048`.
    case key(ProgramTemplate)
    /// Creates a certificate signing request (PKCS #10, RFC 2986) with the key in a slot, for a distinguished name (RFC 4514), host
    /// names and e-mail addresses, separated by commas.
    case request(key: Int, subject: ProgramTemplate?, dns: ProgramTemplate?, email: ProgramTemplate?)
    /// Combines the key in a slot with its certificate among those in another slot: PEM, or Base64 of DER or PKCS #7.
    case identity(key: Int, certificates: Int)
    /// Returns the certificate request or the identity's certificate in a slot as PEM (RFC 7468).
    case pem(Int)
    /// Returns the serial number of the identity's certificate in hexadecimal.
    case serialNumber(Int)
    /// Returns the remaining validity of the identity's certificate.
    case lifetime(Int)
}

/// Implements ``CertificateFunction`` outside of the core module. `CountersignIdentity` has a conforming type.
@_spi(Generated) public protocol CertificateMaking: Sendable {
    /// Returns the value of a function.
    ///
    /// A key is returned as PKCS #8 in DER, a certificate request in DER.
    ///
    /// - Parameter values: All values by slot.
    /// - Throws: ``StepFailure``.
    func value(of function: CertificateFunction, _ values: [ProgramValue]) throws(StepFailure) -> ProgramValue
}

extension CertificateFunction {
    /// The name of the step in events and in the demo.
    var word: String {
        switch self {
        case .key: "key"
        case .request: "certificate-request"
        case .identity: "identity"
        case .pem, .serialNumber, .lifetime: "compute"
        }
    }

    /// Whether the function uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        switch self {
        case .key(let kind): kind.uses(slots)
        case .request(let key, let subject, let dns, let email):
            slots.contains(key) || [subject, dns, email].contains { $0?.uses(slots) == true }
        case .identity(let key, let certificates): slots.contains(key) || slots.contains(certificates)
        case .pem(let slot), .serialNumber(let slot), .lifetime(let slot): slots.contains(slot)
        }
    }
}
