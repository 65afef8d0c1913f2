import CountersignSpec

// The expressions of the placements of a credential in requests, and of signatures.

extension ProgramCompiler {
    static func placement(_ placement: ResolvedProgram.Placement) -> SwiftExpression {
        switch placement {
        case .header(let name, let value, let methods):
            .call(".header", [.init(nil, template(name)), .init(nil, template(value))] + list("methods", methods.map(text)))
        case .query(let name, let value, let methods):
            .call(".query", [.init(nil, template(name)), .init(nil, template(value))] + list("methods", methods.map(text)))
        case .json(let name, let value): .call(".json", .init(nil, template(name)), .init(nil, json(value)))
        case .form(let name, let value): .call(".form", .init(nil, template(name)), .init(nil, template(value)))
        case .basic(let user, let password):
            .call(".basic", .init("user", template(user)), .init("password", template(password)))
        case .digest(let user, let password):
            .call(".digest", .init("user", template(user)), .init("password", template(password)))
        case .signature(let signature): .call(".signature", .init(nil, self.signature(signature)))
        case .connection(let slot): ".connection(\(SwiftExpression.number(slot)))"
        case .messageSignature(let signature): .call(".messageSignature", .init(nil, messageSignature(signature)))
        case .computed(let functions, let headers, let query): computed(functions, headers, query)
        case .proof(let proof): .call(".proof", .init(nil, self.proof(proof)))
        case .negotiate(let negotiation):
            .call(
                ".negotiate",
                .init(
                    nil,
                    .call(
                        ".init",
                        optional("service", negotiation.service, template)
                            + optional("principal", negotiation.principal, template)
                            + optional("bound", negotiation.bound, SwiftExpression.number)
                            + optional("anyMechanism", negotiation.anyMechanism, SwiftExpression.number))))
        }
    }

    static func proof(_ proof: ResolvedProgram.Proof) -> SwiftExpression {
        .call(
            "ProofOfPossession",
            [.init("key", template(proof.key))] + optional("token", proof.token, template))
    }

    static func signature(_ signature: ResolvedProgram.SignatureVersion4) -> SwiftExpression {
        .call(
            "SignatureVersion4",
            [.init("id", template(signature.identifier)), .init("key", template(signature.key))]
                + optional("session", signature.session, template)
                + [.init("region", template(signature.region)), .init("service", template(signature.service))]
                + optional("clock", signature.clock, SwiftExpression.number)
                + optional("lifetimeInQuery", signature.lifetimeInQuery) { LiteralCompiler.duration(milliseconds: $0) })
    }
}
