/// Functions of steps and requests that are implemented outside of the core module. Only modules whose methods use them link them.
@_spi(Generated) public struct ProgramTools: Sendable {
    /// Creates keys and certificates; `nil` if no step does.
    let certificates: (any CertificateMaking)?
    /// Verifies the signatures of tokens; `nil` if no step does.
    let signatures: (any SignatureVerifying)?
    /// Signs tokens; `nil` if no step does.
    let signer: (any TokenSigning)?
    /// Creates security contexts; `nil` if requests use none.
    let contexts: (any SecurityContextMaking)?

    /// Creates the tools.
    public init(
        certificates: (any CertificateMaking)? = nil, signatures: (any SignatureVerifying)? = nil,
        signer: (any TokenSigning)? = nil, contexts: (any SecurityContextMaking)? = nil
    ) {
        self.certificates = certificates
        self.signatures = signatures
        self.signer = signer
        self.contexts = contexts
    }
}

/// The parameters of a method whose steps need tools.
@_spi(Generated) public protocol EquippedParameters: ProgramParameters {
    /// The tools of the steps.
    static var tools: ProgramTools { get }
}

extension ProgramParameters {
    /// The tools of the method's steps; without functions if the method has none.
    static var allTools: ProgramTools { (Self.self as? any EquippedParameters.Type)?.tools ?? ProgramTools() }
}
