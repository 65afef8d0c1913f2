/// A challenge with the defaults of its parameters filled in.
struct ConcreteChallenge {
    /// A condition on a value in some part of a response.
    struct Part {
        /// The part of the response with the value.
        enum Place {
            case header, json, xml, body, cookie
        }

        let place: Place
        /// The name, in lower case for a header field; `nil` if it can be anything.
        let name: String?
        /// The name as in the spec, for examples.
        let shownName: String
        let match: Match
    }

    enum Match {
        case anything
        case absent
        case equals(String), prefix(String), contains(String), anyCase(String)
    }

    let name: Located<String>
    let statuses: [Int]
    let parts: [Part]
    let schemes: [ConcreteScheme]

    /// A place of a response that has at most one value.
    struct Place: Hashable {
        let kind: Part.Place
        let name: String
    }

    /// The values that must be equal as a whole, in lower case. Two challenges with different values for one place match no
    /// common response.
    var wholeValues: [Place: String] {
        var values: [Place: String] = [:]
        for part in parts {
            guard let name = part.name, part.hasOneValue else { continue }
            switch part.match {
            case .equals(let text), .anyCase(let text): values[Place(kind: part.place, name: name)] = text.lowercased()
            case .anything, .absent, .prefix, .contains: break
            }
        }
        // The keys of schemes contain a space, so they differ from the names of all header fields.
        for scheme in schemes {
            let field = "\(scheme.field.rawValue) scheme"
            values[Place(kind: .header, name: field)] = scheme.name.lowercased()
            for (name, match) in scheme.parameters {
                switch match {
                case .equals(let text), .anyCase(let text):
                    values[Place(kind: .header, name: "\(field) \(name.lowercased())")] = text.lowercased()
                case .anything, .absent, .prefix, .contains: break
                }
            }
        }
        return values
    }

    /// Returns an example of a response that matches both challenges, or `nil` if there is none.
    func example(with other: ConcreteChallenge) -> String? {
        guard let status = commonStatus(with: other) else { return nil }
        guard let offers = ConcreteScheme.fields(of: schemes + other.schemes) else { return nil }
        let parts = parts + other.parts + offers
        for absent in parts where absent.match.isAbsent {
            guard !parts.contains(where: absent.excludes) else { return nil }
        }
        var texts: [String] = []
        for (index, part) in parts.enumerated() {
            guard part.hasOneValue else {
                let text = part.match.isAbsent ? part.absentExample : part.example(part.match.example)
                if !texts.contains(text) { texts.append(text) }
                continue
            }
            guard !parts[..<index].contains(where: part.isSame) else { continue }
            guard !part.match.isAbsent else {
                texts.append(part.absentExample)
                continue
            }
            let same = parts.filter(part.isSame).map(\.match)
            let matches = part.place == .header && part.name == "location" ? Match.onOneServer(same) : same
            // Other texts that the field must contain can be another element of its list, besides the scheme.
            let separator = offers.contains(where: part.isSame) ? ", " : ""
            guard let value = Match.example(of: matches, separator: separator) else { return nil }
            texts.append(part.example(value))
        }
        return texts.isEmpty ? "\(status)" : "\(status) with \(texts.joined(separator: ", "))"
    }

    private func commonStatus(with other: ConcreteChallenge) -> Int? {
        if statuses.isEmpty { return other.statuses.min() ?? 401 }
        if other.statuses.isEmpty { return statuses.min() }
        return Set(statuses).intersection(other.statuses).min()
    }
}

extension ConcreteChallenge.Part {
    /// Whether this is a known place with at most one value. With `*`, each of two conditions can hold for another item of the list.
    fileprivate var hasOneValue: Bool {
        guard let name else { return false }
        return place != .json || !name.split(separator: "/").contains("*")
    }

    /// Whether both parts are the same place of the response.
    fileprivate func isSame(_ other: Self) -> Bool { name != nil && place == other.place && name == other.name }

    /// Whether this part, which must be absent, is or contains another one, which must be present.
    fileprivate func excludes(_ other: Self) -> Bool {
        guard let name, let otherName = other.name, place == other.place, !other.match.isAbsent else { return false }
        switch place {
        case .json, .xml: return ValuePath(name).contains(ValuePath(otherName))
        case .header, .body, .cookie: return name == otherName
        }
    }

    /// Describes the place without a value, for messages.
    fileprivate var absentExample: String {
        switch place {
        case .header: "no '\(shownName)'"
        case .json: "no '\(shownName)' in its JSON"
        case .xml: "no '\(shownName)' in its XML"
        case .body: "no text in its body"
        case .cookie: "no cookie '\(shownName)'"
        }
    }

    /// Describes the place with a value, for messages.
    fileprivate func example(_ value: String) -> String {
        switch place {
        case .header: "'\(shownName): \(value)'"
        case .json: "'\(shownName): \(value)' in its JSON"
        case .xml: "'\(shownName): \(value)' in its XML"
        case .body: "'\(value)' in its body"
        case .cookie: "'\(shownName)=\(value)' as a cookie"
        }
    }
}

extension ConcreteChallenge.Match {
    /// Whether there must be no value.
    var isAbsent: Bool { if case .absent = self { true } else { false } }

    /// Returns a value that meets all conditions, or `nil` if there is none.
    static func example(of matches: [ConcreteChallenge.Match], separator: String = "") -> String? {
        var value = ""
        for case .prefix(let prefix) in matches where prefix.count > value.count { value = prefix }
        for case .contains(let part) in matches where !value.contains(part) { value += separator + part }
        for case .anyCase(let text) in matches { value = text }
        for case .equals(let text) in matches { value = text }
        // A value that must equal a text ignoring case can have the case that a prefix or another part needs.
        let isExact =
            !matches.contains { if case .anyCase = $0 { true } else { false } }
            || matches.contains { if case .equals = $0 { true } else { false } }
        func inCase(_ text: String) -> String { isExact ? text : text.lowercased() }
        let allHold = matches.allSatisfy { match in
            switch match {
            case .anything: true
            case .absent: false
            case .equals(let text): value == text
            case .prefix(let prefix): inCase(value).hasPrefix(inCase(prefix))
            case .contains(let part): inCase(value).contains(inCase(part))
            case .anyCase(let text): value.lowercased() == text.lowercased()
            }
        }
        guard allHold else { return nil }
        return value.isEmpty ? "…" : value
    }

    /// Returns conditions on a `Location` with the server of an absolute one in the relative ones, since a prefix is compared as a URL.
    fileprivate static func onOneServer(_ matches: [Self]) -> [Self] {
        guard let server = matches.lazy.compactMap(\.server).first else { return matches }
        return matches.map { match in
            switch match {
            case .equals(let text) where text.isPath: .equals(server + text)
            case .prefix(let text) where text.isPath: .prefix(server + text)
            case .anything, .absent, .equals, .prefix, .contains, .anyCase: match
            }
        }
    }

    /// The scheme and the authority of an absolute URL; `nil` for another condition.
    private var server: String? {
        switch self {
        case .equals(let text), .prefix(let text): text.prefixMatch(of: /[A-Za-z]+:\/\/[^\/?#]+/).map { String($0.output) }
        case .anything, .absent, .contains, .anyCase: nil
        }
    }

    fileprivate var example: String { Self.example(of: [self]) ?? "…" }
}

extension String {
    /// Whether this is a relative URL that begins with a path.
    fileprivate var isPath: Bool { hasPrefix("/") && !hasPrefix("//") }
}

extension ResolvedProgram {
    /// The challenges, without refused connections, with defaults filled in.
    var concreteChallenges: [ConcreteChallenge] {
        challenges.filter { !$0.isRefusedConnection }.map { challenge in
            let headers = challenge.headers.map { condition in
                let name = filled(condition.name)
                return ConcreteChallenge.Part(
                    place: .header, name: name?.lowercased(), shownName: name ?? "…", match: concrete(condition.match))
            }
            let others =
                challenge.json.map { part(.json, $0) } + challenge.xml.map { part(.xml, $0) }
                + (challenge.cookies ?? []).map { part(.cookie, $0) }
                + (challenge.text.map { [ConcreteChallenge.Part(place: .body, name: "", shownName: "", match: concrete($0))] } ?? [])
            let demanded = challenge.captures.filter(\.isDemanded).map(\.source)
            return ConcreteChallenge(
                name: challenge.name, statuses: challenge.statuses, parts: headers + others + demanded.compactMap(\.part),
                schemes: challenge.schemes.map { scheme in
                    ConcreteScheme(
                        field: scheme.field, name: scheme.name,
                        parameters: scheme.parameters.map { (filled($0.name) ?? "", concrete($0.match)) }
                            + (scheme.field == .wwwAuthenticate ? demanded.compactMap(\.parameter).map { ($0, .anything) } : []))
                })
        }
    }

    private func part(_ place: ConcreteChallenge.Part.Place, _ condition: Condition) -> ConcreteChallenge.Part {
        let name = filled(condition.name)
        return ConcreteChallenge.Part(place: place, name: name, shownName: name ?? "…", match: concrete(condition.match))
    }

    private func concrete(_ match: Condition.Match) -> ConcreteChallenge.Match {
        switch match {
        case .present: .anything
        case .absent: .absent
        case .equals(let template): filled(template).map { .equals($0) } ?? .anything
        case .prefix(let template): filled(template).map { .prefix($0) } ?? .anything
        case .contains(let template): filled(template).map { .contains($0) } ?? .anything
        case .anyCase(let template): filled(template).map { .anyCase($0) } ?? .anything
        }
    }

    /// Returns the text with the defaults of the parameters that it names; `nil` if a value has no default.
    private func filled(_ template: Template) -> String? {
        var text = ""
        for piece in template.pieces {
            switch piece {
            case .text(let literal): text += literal
            case .requestOrigin, .request, .computed: return nil
            case .slot(let slot):
                let name = slots[slot].name.value
                guard slots[slot].source == .parameter,
                    let value = parameters.first(where: { $0.name.value == name })?.defaultText
                else { return nil }
                text += value.value
            }
        }
        return text
    }
}

extension ResolvedProgram.Capture.Source {
    /// The part of a response with the value; `nil` if it has no place of its own.
    fileprivate var part: ConcreteChallenge.Part? {
        switch self {
        case .header(let name): .init(place: .header, name: name.lowercased(), shownName: name, match: .anything)
        // Of several pointers, any can have the value.
        case .json(let pointers):
            pointers.count == 1 ? .init(place: .json, name: pointers[0], shownName: pointers[0], match: .anything) : nil
        case .cookie(let name): .init(place: .cookie, name: name, shownName: name, match: .anything)
        case .xml(let path): .init(place: .xml, name: path, shownName: path, match: .anything)
        case .parameter, .query, .input, .body: nil
        }
    }

    /// The parameter of a scheme with the value.
    fileprivate var parameter: String? { if case .parameter(let name) = self { name } else { nil } }
}
