import Countersign

/// The parts of a response that a pattern describes, before they are written to it.
struct DescribedParts {
    /// A value: its text for comparisons, its text in the response, and its form in a JSON body.
    typealias Value = (text: String, wire: String, json: JSONTree)

    /// The query of the redirect that ends a login page.
    private(set) var query = FormParameters()
    private(set) var schemes: [(scheme: ChallengePattern.Scheme, parameters: [String: String])]
    /// The header fields by name.
    private(set) var fields: [String: String] = [:]
    /// The names of header fields that the response must not have.
    private(set) var absentFields: [String] = []
    /// The cookies by name.
    private(set) var cookies: [String: String] = [:]
    private(set) var body = DescribedBody()

    /// Creates the parts that meet the conditions of a pattern.
    init(_ pattern: ChallengePattern, _ filling: TemplateFilling) {
        schemes = pattern.schemes.map { scheme in (scheme: scheme, parameters: Self.parameters(of: scheme, filling)) }
        for header in pattern.headers where header.match != .absent {
            fields[filling.text(header.name)] = filling.text(header.match)
        }
        absentFields = pattern.headers.filter { $0.match == .absent }.map { filling.text($0.name) }
        // A condition on an absent value, too, is met only by a body of the format.
        if !pattern.json.isEmpty { body.put(.object([:]), at: "") }
        body.isXML = !pattern.xml.isEmpty
        for member in pattern.json where member.match != .absent {
            body.put(.text(filling.text(member.match)), at: member.name.literal)
        }
        for member in pattern.xml where member.match != .absent {
            body.xml[member.name.literal] = filling.text(member.match)
        }
        for member in pattern.query where member.match != .absent {
            query[filling.text(member.name)] = filling.text(member.match)
        }
        switch pattern.cookies {
        case nil: break
        case .any: cookies["session"] = Token.make()
        case .named(let conditions):
            for cookie in conditions where cookie.match != .absent {
                cookies[filling.text(cookie.name)] = cookie.match.isFree ? Token.make() : filling.text(cookie.match)
            }
        }
        if let text = pattern.text { body.text = filling.text(text) }
    }

    private static func parameters(of scheme: ChallengePattern.Scheme, _ filling: TemplateFilling) -> [String: String] {
        var parameters: [String: String] = [:]
        // Without these, a Digest challenge cannot be answered (RFC 7616, section 3.3).
        if scheme.isDigest {
            parameters = ["realm": filling.program.program.name, "nonce": Token.make(), "qop": "auth", "algorithm": "SHA-256"]
        }
        for parameter in scheme.parameters where parameter.match != .absent {
            parameters[filling.text(parameter.name)] = filling.text(parameter.match)
        }
        return parameters
    }

    /// Returns the text of a value that the parts already have, outside the body.
    func text(at source: ChallengePattern.Capture.Source) -> String? {
        switch source {
        case .header(let name): fields[name]
        case .parameter(let name): schemes.first?.parameters[name]
        case .cookie(let name): cookies[name]
        case .query(let name): query[name]
        case .json, .input, .xml, .body: nil
        }
    }

    /// Writes a captured value.
    ///
    /// - Parameter decoy: The value of items that a client must not choose, if the capture is from an item of a list.
    mutating func write(
        _ value: Value, of capture: ChallengePattern.Capture, _ filling: TemplateFilling, or decoy: @autoclosure () -> JSONTree
    ) {
        switch capture.source {
        case .header(let name): fields[name] = value.wire
        case .parameter(let name): for place in schemes.indices { schemes[place].parameters[name] = value.wire }
        case .json(let pointers):
            let pointer = pointers.first ?? ""
            if capture.items.isEmpty {
                body.put(value.json, at: pointer)
            } else {
                body.choose(
                    value.json, or: decoy(), at: pointer,
                    where: capture.items.map { DescribedChoice.Condition($0, filling.text($0.match)) })
            }
        case .cookie(let name): cookies[name] = value.wire
        case .query(let name): query[name] = value.wire
        case .input(let name): body.inputs[filling.text(name)] = value.wire
        case .xml(let path): body.xml[path] = value.wire
        case .body: body.text = value.wire
        }
    }
}

/// Fills the templates of a pattern.
struct TemplateFilling {
    let program: DescribedProgram
    /// The texts of slots that the request has, and of those that were issued before.
    let given: [Int: String]

    func text(_ template: ProgramTemplate) -> String { program.plain(template, given) ?? "described" }

    /// Returns a text that satisfies a comparison.
    func text(_ match: ChallengePattern.Match) -> String {
        switch match {
        case .present, .absent: "described"
        case .equals(let template), .prefix(let template), .contains(let template), .anyCase(let template): text(template)
        }
    }
}

extension ChallengePattern.Scheme {
    var isDigest: Bool { name.lowercased() == "digest" }
}

extension ChallengePattern.Match {
    /// Whether any text satisfies the comparison.
    var isFree: Bool { self == .present }
}

extension ProgramTemplate {
    /// The text of a template without slots.
    var literal: String { text([]) ?? "" }
}
