import CountersignSpec

// The expressions of challenges and of other patterns of responses.

extension ProgramCompiler {
    static func challenge(_ challenge: ResolvedProgram.Challenge) -> SwiftExpression {
        .call("ChallengePattern", [.init(nil, text(challenge.name.value))] + pattern(challenge))
    }

    /// The arguments of a pattern, without its name.
    static func pattern(_ challenge: ResolvedProgram.Challenge) -> [Argument] {
        let schemes = challenge.schemes.map { scheme in
            SwiftExpression.call(
                ".init",
                [.init(nil, text(scheme.name))]
                    + (scheme.field == .proxyAuthenticate ? [.init("in", ".proxyAuthenticate")] : [])
                    + list("parameters", scheme.parameters.map(condition)))
        }
        return list("conditions", challenge.conditions.map(requirement))
            + flag("isRefusedConnection", challenge.isRefusedConnection)
            + (challenge.statuses.isEmpty ? [] : [.init("statuses", numbers(challenge.statuses))])
            + list("headers", challenge.headers.map(condition)) + list("schemes", schemes)
            + optional("text", challenge.text, match) + list("json", challenge.json.map(condition))
            + list("xml", challenge.xml.map(condition))
            + optional("cookies", challenge.cookies, cookies)
            + list("query", challenge.query.map(condition))
            + list("captures", challenge.captures.map(capture))
    }

    private static func cookies(_ cookies: [ResolvedProgram.Condition]) -> SwiftExpression {
        cookies.isEmpty ? ".any" : .call(".named", .init(nil, .list(cookies.map(condition))))
    }

    static func condition(_ condition: ResolvedProgram.Condition) -> SwiftExpression {
        .sequence([template(condition.name), ": ", match(condition.match)])
    }

    private static func match(_ match: ResolvedProgram.Condition.Match) -> SwiftExpression {
        switch match {
        case .present: ".present"
        case .absent: ".absent"
        // A string literal is a match for equality by itself.
        case .equals(let value): value.isLiteral ? template(value) : .call(".equals", .init(nil, template(value)))
        case .prefix(let value): .call(".prefix", .init(nil, template(value)))
        case .contains(let value): .call(".contains", .init(nil, template(value)))
        case .anyCase(let value): .call(".anyCase", .init(nil, template(value)))
        }
    }

    static func capture(_ capture: ResolvedProgram.Capture) -> SwiftExpression {
        let source: SwiftExpression =
            switch capture.source {
            case .header(let name): ".header(\(text(name)))"
            case .parameter(let name): ".parameter(\(text(name)))"
            case .json(let pointers): .call(".json", .init(nil, .list(pointers.map(text))))
            case .cookie(let name): ".cookie(\(text(name)))"
            case .query(let name): ".query(\(text(name)))"
            case .input(let name): .call(".input", .init(nil, template(name)))
            case .xml(let path): ".xml(\(text(path)))"
            case .body: ".body"
            }
        let kind: [Argument] =
            switch capture.kind {
            case .text: []
            case .decoded: [.init("as", ".decoded")]
            case .url(let places, let isLenient):
                [.init("as", .call(".url", [.init("within", .list(places.map(place)))] + flag("isLenient", isLenient)))]
            case .duration(unit: 1000): [.init("as", ".seconds")]
            case .duration(let unit): [.init("as", .call(".duration", .init("unit", LiteralCompiler.duration(milliseconds: unit))))]
            case .date: [.init("as", ".date")]
            case .moment: [.init("as", ".moment")]
            case .clock: [.init("as", ".clock")]
            case .texts: [.init("as", ".texts")]
            case .json: [.init("as", ".json")]
            case .element: [.init("as", ".element")]
            case .flag(let wanted): [.init("as", .call(".flag", .init("is", text(wanted))))]
            case .truth: [.init("as", ".truth")]
            }
        let fallback = capture.fallback.map { [Argument("fallback", text($0))] } ?? []
        return .call(
            ".slot",
            [.init(nil, .number(capture.slot)), .init("from", source)] + list("where", capture.items.map(condition)) + kind
                + fallback + flag("isOptional", capture.isOptional))
    }

    private static func place(_ place: ResolvedProgram.Capture.Place) -> SwiftExpression {
        switch place {
        case .response: ".response"
        case .slot(let slot): ".slot(\(SwiftExpression.number(slot)))"
        }
    }
}

extension ResolvedProgram.Template {
    /// Whether it is a text without values.
    fileprivate var isLiteral: Bool {
        if pieces.count == 1, case .text = pieces[0] { true } else { false }
    }
}
