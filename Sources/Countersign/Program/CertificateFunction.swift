/// What a step makes of keys and certificates.
public enum CertificateFunction: Sendable, Hashable {
    /// A private key of the kind that a text says: `p256` or `rsa2048`.
    case key(ProgramTemplate)
    /// A certificate request (PKCS #10, RFC 2986), signed with the key of a slot: for a distinguished name (RFC 4514), names of hosts and e-mail
    /// addresses, with commas between them.
    case request(key: Int, subject: ProgramTemplate?, dns: ProgramTemplate?, email: ProgramTemplate?)
    /// The identity of the key of a slot and of its certificate, which is among those of another: PEM, or base64 of DER or PKCS #7.
    case identity(key: Int, certificates: Int)
    /// The certificate request or the identity's certificate of a slot, as PEM (RFC 7468).
    case pem(Int)
    /// The serial number of the identity's certificate, in hexadecimal.
    case serialNumber(Int)
    /// How long the identity's certificate is valid still.
    case lifetime(Int)
}

/// Makes keys and certificates, for which the runtime's core has no code; `CountersignIdentity` conforms.
@_spi(Generated) public protocol CertificateMaking: Sendable {
    /// The value of a function.
    ///
    /// A key is its PKCS #8 in DER, a certificate request its DER.
    ///
    /// - Parameter values: All values by slot.
    /// - Throws: ``StepFailure``.
    func value(of function: CertificateFunction, _ values: [ProgramValue]) throws(StepFailure) -> ProgramValue
}

extension CertificateFunction {
    /// What the step is called in events and in the demo.
    var word: String {
        switch self {
        case .key: "key"
        case .request: "certificate-request"
        case .identity: "identity"
        case .pem, .serialNumber, .lifetime: "compute"
        }
    }

    /// Whether a value of one of these slots is a part of it.
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
