import CountersignSpec

// The expressions of functions, and of the signatures and JSON values that are computed like them.

extension ProgramCompiler {
    static func function(_ function: ResolvedProgram.Function) -> SwiftExpression {
        switch function {
        case .random: ".random"
        case .totp(let key): .call(".totp", .init(nil, template(key)))
        case .join(let texts): .call(".join", .init(nil, .list(texts.map(template))))
        case .encode(let texts, let encoding):
            .call(".encode", .init(nil, .list(texts.map(template))), .init("as", self.encoding(encoding)))
        case .scopes(let texts): .call(".scopes", .init(nil, .list(texts.map(template))))
        case .value(let slot): ".value(\(SwiftExpression.number(slot)))"
        case .json(let json): .call(".json", .init(nil, self.json(json)))
        case .certificate(let function): .call(".certificate", .init(nil, self.function(function)))
        case .digest(let digest): .call(".digest", .init(nil, self.digest(digest)))
        case .derive(let derivation): .call(".derive", .init(nil, self.derivation(derivation)))
        case .part(let text, let start, let end):
            .call(".part", .init(nil, part(of: text, after: start, before: end)))
        case .time(let format, let clock):
            .call(".time", .init(nil, time(format)), .init("clock", clock.map { .number($0) } ?? "nil"))
        case .merge(let objects): .call(".merge", .init(nil, .list(objects.map(json))))
        case .same(let texts): .call(".same", .init(nil, .list(texts.map(template))))
        case .signingKey: ".signingKey"
        case .thumbprint(let key): .call(".thumbprint", .init(nil, template(key)))
        case .token(let token): .call(".token", .init(nil, self.token(token)))
        }
    }

    /// Returns the expression for a signature by HTTP Message Signatures.
    static func messageSignature(_ signature: ResolvedProgram.MessageSignature) -> SwiftExpression {
        let algorithm: SwiftExpression =
            switch signature.algorithm {
            case .hmacSHA256: ".hmacSHA256"
            case .ecdsaP256: ".ecdsaP256"
            case .ecdsaP384: ".ecdsaP384"
            case .ed25519: ".ed25519"
            case .rsaPSS: ".rsaPSS"
            case .rsaPKCS1: ".rsaPKCS1"
            }
        var arguments = [Argument(nil, algorithm), .init("key", template(signature.key))]
        switch signature.keyEncoding {
        case .base64: break
        case .text: arguments.append(.init("keyEncoding", ".text"))
        case .hex: arguments.append(.init("keyEncoding", ".hex"))
        }
        if let name = signature.keyIdentifier { arguments.append(.init("keyIdentifier", template(name))) }
        arguments.append(.init("components", .list(signature.components.map(text))))
        if signature.label != "sig1" { arguments.append(.init("label", text(signature.label))) }
        if let lifetime = signature.lifetime {
            arguments.append(.init("lifetime", LiteralCompiler.duration(milliseconds: lifetime)))
        }
        if let tag = signature.tag { arguments.append(.init("tag", template(tag))) }
        switch signature.nonce {
        case .random: arguments.append(.init("nonce", ".random"))
        case .given(let nonce): arguments.append(.init("nonce", .call(".given", .init(nil, template(nonce)))))
        case nil: break
        }
        if let clock = signature.clock { arguments.append(.init("clock", .number(clock))) }
        return .call(".init", arguments)
    }

    private static func digest(_ digest: ResolvedProgram.Digest) -> SwiftExpression {
        var arguments = [Argument(nil, algorithm(digest.algorithm)), .init("of", template(digest.message))]
        arguments += encoding("messageEncoding", digest.messageEncoding)
        if let key = digest.key { arguments.append(.init("key", template(key))) }
        arguments += encoding("keyEncoding", digest.keyEncoding)
        if digest.encoding != .hex { arguments.append(.init("as", encoding(digest.encoding))) }
        return .call(".init", arguments)
    }

    private static func derivation(_ derivation: ResolvedProgram.KeyDerivation) -> SwiftExpression {
        var arguments = [Argument(nil, algorithm(derivation.algorithm)), .init("of", template(derivation.password))]
        arguments += encoding("passwordEncoding", derivation.passwordEncoding)
        arguments.append(.init("salt", template(derivation.salt)))
        arguments += encoding("saltEncoding", derivation.saltEncoding)
        arguments.append(.init("iterations", template(derivation.iterations)))
        if derivation.encoding != .hex { arguments.append(.init("as", encoding(derivation.encoding))) }
        return .call(".init", arguments)
    }

    private static func part(
        of text: ResolvedProgram.Template, after start: ResolvedProgram.Template?, before end: ResolvedProgram.Template?
    ) -> SwiftExpression {
        var arguments = [Argument("of", template(text))]
        if let start { arguments.append(.init("after", template(start))) }
        if let end { arguments.append(.init("before", template(end))) }
        return .call(".init", arguments)
    }

    private static func algorithm(_ algorithm: ResolvedProgram.Digest.Algorithm) -> SwiftExpression {
        switch algorithm {
        case .sha256: ".sha256"
        case .sha384: ".sha384"
        case .sha512: ".sha512"
        }
    }

    /// Returns the argument with the encoding of a text; none for one that is not encoded.
    private static func encoding(_ label: SwiftExpression, _ encoding: ResolvedProgram.Digest.KeyEncoding) -> [Argument] {
        switch encoding {
        case .text: []
        case .hex: [Argument(label, ".hex")]
        case .base64: [Argument(label, ".base64")]
        }
    }

    private static func token(_ token: ResolvedProgram.SignedToken) -> SwiftExpression {
        let claims = token.claims.map { claim in
            SwiftExpression.call(".init", .init(nil, template(claim.name)), .init(nil, json(claim.value)))
        }
        var arguments = [Argument(nil, .list(claims)), .init("key", template(token.key))]
        if let name = token.keyIdentifier { arguments.append(.init("keyIdentifier", template(name))) }
        if token.usesPSS { arguments.append(.init("rsaAlgorithm", ".ps256")) }
        arguments.append(.init("lifetime", LiteralCompiler.duration(milliseconds: token.lifetime)))
        if token.clockSkew > 0 { arguments.append(.init("clockSkew", LiteralCompiler.duration(milliseconds: token.clockSkew))) }
        return .call(".init", arguments)
    }

    private static func encoding(_ encoding: ResolvedProgram.Digest.Encoding) -> SwiftExpression {
        switch encoding {
        case .hex: ".hex"
        case .base64: ".base64"
        case .base64url: ".base64url"
        }
    }

    private static func time(_ format: ResolvedProgram.TimeFormat) -> SwiftExpression {
        switch format {
        case .unix: ".unix"
        case .unixMilliseconds: ".unixMilliseconds"
        case .rfc3339: ".rfc3339"
        case .http: ".http"
        }
    }

    /// Returns the expression for values that are computed for each request, and for the header fields and query parameters that
    /// contain them.
    static func computed(
        _ functions: [ResolvedProgram.Function], _ headers: [ResolvedProgram.Member], _ query: [ResolvedProgram.Member]
    ) -> SwiftExpression {
        let values = Argument(nil, .list(functions.map(function)))
        return .call(".computed", [values] + list("headers", headers.map(member)) + list("query", query.map(member)))
    }

    private static func function(_ function: ResolvedProgram.CertificateFunction) -> SwiftExpression {
        func optional(_ template: ResolvedProgram.Template?) -> SwiftExpression { template.map { self.template($0) } ?? "nil" }
        return switch function {
        case .key(let kind): .call(".key", .init(nil, template(kind)))
        case .request(let key, let subject, let dns, let email):
            .call(
                ".request", .init("key", .number(key)), .init("subject", optional(subject)), .init("dns", optional(dns)),
                .init("email", optional(email)))
        case .identity(let key, let certificates):
            .call(".identity", .init("key", .number(key)), .init("certificates", .number(certificates)))
        case .pem(let slot): .call(".pem", .init(nil, .number(slot)))
        case .serialNumber(let slot): .call(".serialNumber", .init(nil, .number(slot)))
        case .lifetime(let slot): .call(".lifetime", .init(nil, .number(slot)))
        }
    }

    static func json(_ json: ResolvedProgram.JSON) -> SwiftExpression {
        switch json {
        case .text(let value): .call(".text", .init(nil, template(value)))
        case .value(let slot): ".slot(\(SwiftExpression.number(slot)))"
        case .number(let number): ".number(\(text(number)))"
        case .flag(let flag): flag ? ".flag(true)" : ".flag(false)"
        case .null: ".null"
        case .list(let items): .list(items.map(self.json))
        case .object(let members) where members.isEmpty: "[:]"
        case .object(let members): .list(members.map { .sequence([template($0.name), ": ", self.json($0.value)]) })
        }
    }
}
