import CountersignSpec

/// What the steps and requests of a method need, from a module that only such methods import.
enum ProgramTool: CaseIterable {
    case certificates, signatures, signer, contexts

    /// The argument that the runtime takes it by.
    var argument: SwiftExpression {
        switch self {
        case .certificates: "certificates: CertificateMaker()"
        case .signatures: "signatures: SignatureVerifier()"
        case .signer: "signer: TokenSigner()"
        case .contexts: "contexts: GSSAPISecurity()"
        }
    }

    /// The module that has it.
    enum Module: String, CaseIterable {
        case countersignIdentity = "CountersignIdentity"
        case countersignJWT = "CountersignJWT"
        case countersignGSSAPI = "CountersignGSSAPI"

        /// The same as it is written in an import.
        var expression: SwiftExpression {
            switch self {
            case .countersignIdentity: "CountersignIdentity"
            case .countersignJWT: "CountersignJWT"
            case .countersignGSSAPI: "CountersignGSSAPI"
            }
        }
    }

    var module: Module {
        switch self {
        case .certificates: .countersignIdentity
        case .signatures, .signer: .countersignJWT
        case .contexts: .countersignGSSAPI
        }
    }
}

extension ResolvedProgram {
    /// What its steps need.
    var tools: [ProgramTool] {
        ProgramTool.allCases.filter { tool in
            switch tool {
            case .certificates: makesCertificates
            case .signatures: verifiesTokens
            case .signer: signsTokens
            case .contexts: showsTickets
            }
        }
    }
}

extension [ProgramTool] {
    /// The arguments for all of them.
    var arguments: SwiftExpression { .sequence(map { [$0.argument] }.joined(separator: [", "]).map { $0 }) }
}
