import CountersignSpec

/// What the steps of a method need, from a module that only such methods import.
enum ProgramTool: CaseIterable {
    case certificates, signatures, signer

    /// The argument that the runtime takes it by.
    var argument: SwiftExpression {
        switch self {
        case .certificates: "certificates: CertificateMaker()"
        case .signatures: "signatures: SignatureVerifier()"
        case .signer: "signer: TokenSigner()"
        }
    }

    /// The module that has it.
    enum Module: String, CaseIterable {
        case countersignIdentity = "CountersignIdentity"
        case countersignJWT = "CountersignJWT"

        /// The same as it is written in an import.
        var expression: SwiftExpression {
            switch self {
            case .countersignIdentity: "CountersignIdentity"
            case .countersignJWT: "CountersignJWT"
            }
        }
    }

    var module: Module {
        switch self {
        case .certificates: .countersignIdentity
        case .signatures, .signer: .countersignJWT
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
            }
        }
    }
}

extension [ProgramTool] {
    /// The arguments for all of them.
    var arguments: SwiftExpression { .sequence(map { [$0.argument] }.joined(separator: [", "]).map { $0 }) }
}
