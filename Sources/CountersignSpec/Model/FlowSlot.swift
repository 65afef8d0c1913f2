/// A value that a step of a flow leaves for later ones, by the name in references.
public enum FlowSlot: Sendable, Hashable {
    /// `{captured.name}`: what an answer of JSON brought, none or more texts.
    case texts(String)
    /// `{generated.certificate_request}`: a certificate request in PEM.
    case certificateRequest
    /// `{generated.certificate_request_base64}`: the same as DER in base64.
    case certificateRequestBase64
    /// `{identity.serial_number}`: the serial number of the certificate that is retired, in hexadecimal.
    case serialNumber
    /// `{identity.certificate}`: that certificate in PEM.
    case certificate

    /// The name in references.
    public var reference: String {
        switch self {
        case .texts(let name): "captured.\(name)"
        case .certificateRequest: "generated.certificate_request"
        case .certificateRequestBase64: "generated.certificate_request_base64"
        case .serialNumber: "identity.serial_number"
        case .certificate: "identity.certificate"
        }
    }

    /// What it holds: a text that may be seen, or a secret.
    public var type: FieldType {
        switch self {
        case .certificateRequest, .certificateRequestBase64, .serialNumber, .certificate: .string
        case .texts: .texts
        }
    }
}
