/// A challenge with the defaults of its parameters filled in.
struct ConcreteChallenge {
    struct Field {
        /// In lower case; `nil` if it can be anything.
        let name: String?
        /// As in the spec, for examples.
        let shownName: String
        let match: Match
    }

    enum Match {
        case anything
        case equals(String), prefix(String), contains(String)
    }

    let name: Located<String>
    let statuses: [Int]
    let fields: [Field]
    let schemes: [ConcreteScheme]
    /// The methods whose challenges it overlaps by intention.
    let overlaps: Set<String>

    /// A response that is both, or `nil` if there is none.
    func example(with other: ConcreteChallenge) -> String? {
        guard let status = commonStatus(with: other) else { return nil }
        guard let offers = ConcreteScheme.fields(of: schemes + other.schemes) else { return nil }
        let fields = fields + other.fields + offers
        var lines: [String] = []
        var seen: Set<String> = []
        for field in fields {
            guard let name = field.name else {
                lines.append("\(field.shownName): \(field.match.example)")
                continue
            }
            guard seen.insert(name).inserted else { continue }
            let matches = fields.filter { $0.name == name }.map(\.match)
            // What has to stand in the field beside a scheme can be another element of its list.
            let separator = offers.contains { $0.name == name } ? ", " : ""
            guard let value = Match.example(of: matches, separator: separator) else { return nil }
            lines.append("\(field.shownName): \(value)")
        }
        return lines.isEmpty ? "\(status)" : "\(status) with '\(lines.joined(separator: "', '"))'"
    }

    private func commonStatus(with other: ConcreteChallenge) -> Int? {
        if statuses.isEmpty { return other.statuses.min() ?? 401 }
        if other.statuses.isEmpty { return statuses.min() }
        return Set(statuses).intersection(other.statuses).min()
    }
}

extension ConcreteChallenge.Match {
    /// A value for which all of them hold, or `nil` if there is none.
    static func example(of matches: [ConcreteChallenge.Match], separator: String = "") -> String? {
        var value = ""
        for case .prefix(let prefix) in matches where prefix.count > value.count { value = prefix }
        for case .contains(let part) in matches where !value.contains(part) { value += separator + part }
        for case .equals(let text) in matches { value = text }
        let allHold = matches.allSatisfy { match in
            switch match {
            case .anything: true
            case .equals(let text): value == text
            case .prefix(let prefix): value.hasPrefix(prefix)
            case .contains(let part): value.contains(part)
            }
        }
        guard allHold else { return nil }
        return value.isEmpty ? "…" : value
    }

    fileprivate var example: String { Self.example(of: [self]) ?? "…" }
}

extension ResolvedMethod {
    /// The challenges that are responses, with defaults filled in.
    var concreteChallenges: [ConcreteChallenge] {
        let fields = parameters?.fields ?? []
        return challenges.filter { !$0.isRefusedConnection }.map { challenge in
            ConcreteChallenge(
                name: challenge.name, statuses: challenge.statuses,
                fields: challenge.fields.map { field in
                    let name = field.name.filled(with: fields)
                    return ConcreteChallenge.Field(
                        name: name?.lowercased(), shownName: name ?? field.name.text,
                        match: ConcreteChallenge.Match(field.match, fields))
                },
                schemes: challenge.schemes.map { ConcreteScheme($0, fields) }, overlaps: Set(challenge.overlaps.map(\.value)))
        }
    }
}

extension ConcreteChallenge.Match {
    /// - Parameter fields: The parameters whose defaults are filled in.
    init(_ match: ResolvedChallenge.Match, _ fields: [ResolvedField]) {
        guard let value = match.template?.filled(with: fields) else {
            self = .anything
            return
        }
        switch match {
        case .present: self = .anything
        case .equals: self = .equals(value)
        case .prefix: self = .prefix(value)
        case .contains: self = .contains(value)
        }
    }
}

extension ResolvedTemplate {
    /// The text with the defaults of the fields that it refers to; `nil` if one has none.
    fileprivate func filled(with fields: [ResolvedField]) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let literal): text += literal
            case .slot: return nil
            case .parameter(let name, _), .settings(let name, _):
                guard let value = fields.first(where: { $0.name.value == name })?.defaultText else { return nil }
                text += value.value
            }
        }
        return text
    }
}
