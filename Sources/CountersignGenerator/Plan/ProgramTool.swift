import CountersignSpec

/// What the steps of a method need, from a module that only such methods import.
enum ProgramTool: CaseIterable {
    case certificates, signatures

    /// The argument that the runtime takes it by.
    var argument: SwiftExpression {
        switch self {
        case .certificates: "certificates: CertificateMaker()"
        case .signatures: "signatures: SignatureVerifier()"
        }
    }

    var module: String {
        switch self {
        case .certificates: "CountersignIdentity"
        case .signatures: "CountersignJWT"
        }
    }

    /// The same as it is written in an import.
    var moduleExpression: SwiftExpression {
        switch self {
        case .certificates: "CountersignIdentity"
        case .signatures: "CountersignJWT"
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
            }
        }
    }
}

extension [ProgramTool] {
    /// The arguments for all of them.
    var arguments: SwiftExpression { .sequence(map { [$0.argument] }.joined(separator: [", "]).map { $0 }) }
}
