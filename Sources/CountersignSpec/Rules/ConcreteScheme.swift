/// An authentication scheme of a challenge with the defaults of its parameters filled in.
struct ConcreteScheme {
    let field: ResolvedProgram.Scheme.Field
    let name: String
    let parameters: [(name: String, match: ConcreteChallenge.Match)]

    /// Returns the header fields of a response that offers all of the schemes, or `nil` if there is none.
    ///
    /// A field is assumed to offer one scheme. A server may offer several, and then each method for one of them would answer.
    /// Methods with different schemes are nevertheless treated as distinct.
    static func fields(of schemes: [ConcreteScheme]) -> [ConcreteChallenge.Part]? {
        var fields: [ConcreteChallenge.Part] = []
        for field in ResolvedProgram.Scheme.Field.allCases {
            let offered = schemes.filter { $0.field == field }
            guard !offered.isEmpty else { continue }
            guard let value = example(of: offered) else { return nil }
            fields.append(
                ConcreteChallenge.Part(place: .header, name: field.rawValue, shownName: field.shownName, match: .prefix(value)))
        }
        return fields
    }

    /// Returns the value of a field that matches all of the schemes, or `nil` if there is none.
    private static func example(of schemes: [ConcreteScheme]) -> String? {
        guard let name = schemes.first?.name, schemes.allSatisfy({ $0.name.lowercased() == name.lowercased() }) else { return nil }
        let parameters = schemes.flatMap(\.parameters)
        var texts: [String] = []
        var seen: Set<String> = []
        for parameter in parameters where seen.insert(parameter.name.lowercased()).inserted {
            let matches = parameters.filter { $0.name.lowercased() == parameter.name.lowercased() }.map(\.match)
            guard !matches.allSatisfy(\.isAbsent) else { continue }
            guard let value = ConcreteChallenge.Match.example(of: matches) else { return nil }
            texts.append("\(parameter.name)=\(value.quoted)")
        }
        return texts.isEmpty ? name : "\(name) \(texts.joined(separator: ", "))"
    }
}

extension ResolvedProgram.Scheme.Field {
    fileprivate var shownName: String {
        switch self {
        case .wwwAuthenticate: "WWW-Authenticate"
        case .proxyAuthenticate: "Proxy-Authenticate"
        }
    }
}

extension String {
    /// The text as a quoted string (RFC 9110, section 5.6.4).
    fileprivate var quoted: String {
        "\"" + map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
    }
}
