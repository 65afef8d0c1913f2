/// Functions of steps and requests that are implemented outside of the core module. Only modules whose methods use them link them.
@_spi(Generated) public struct ProgramTools: Sendable {
    /// Makes keys and certificates; `nil` where no step does.
    let certificates: (any CertificateMaking)?
    /// Verifies the signatures of tokens; `nil` where no step does.
    let signatures: (any SignatureVerifying)?
    /// Signs tokens; `nil` where no step does.
    let signer: (any TokenSigning)?
    /// Makes security contexts; `nil` where requests carry none.
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
    /// What the method's steps need.
    static var allTools: ProgramTools { (Self.self as? any EquippedParameters.Type)?.tools ?? ProgramTools() }
}
