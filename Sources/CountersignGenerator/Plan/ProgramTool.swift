import CountersignSpec

/// A tool that the steps and requests of a method need, from a module that only such methods import.
enum ProgramTool: CaseIterable {
    case certificates, signatures, signer, contexts

    /// The argument that passes the tool to the runtime.
    var argument: SwiftExpression {
        switch self {
        case .certificates: "certificates: CertificateMaker()"
        case .signatures: "signatures: SignatureVerifier()"
        case .signer: "signer: TokenSigner()"
        case .contexts: "contexts: GSSAPISecurity()"
        }
    }

    /// The modules that contain the tools.
    enum Module: String, CaseIterable {
        case countersignIdentity = "CountersignIdentity"
        case countersignJWT = "CountersignJWT"
        case countersignGSSAPI = "CountersignGSSAPI"

        /// The module's name as an expression for an import.
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
    /// The tools that the steps need.
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
    /// The arguments for all tools.
    var arguments: SwiftExpression { .sequence(map { [$0.argument] }.joined(separator: [", "]).map { $0 }) }
}
