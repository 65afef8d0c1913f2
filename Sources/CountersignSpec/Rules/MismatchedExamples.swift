/// The rule that the example of a challenge matches the challenge.
///
/// Status, header fields, cookies and schemes are compared. A body is only searched for the names and texts that the challenge
/// requires. The complete comparison is left to the runtime.
enum MismatchedExamples {
    /// Removes examples that do not match their challenges from a program, so that no page shows them, and reports them.
    ///
    /// An inherited example is removed without a report, since the landscape has overridden its challenge.
    static func remove(from program: inout ResolvedProgram, _ provenance: Provenance, into diagnostics: inout DiagnosticCollector) {
        for challenge in program.concreteChallenges {
            guard let index = program.challenges.firstIndex(where: { $0.name.value == challenge.name.value }),
                let example = program.challenges[index].example, let reason = challenge.mismatch(with: example)
            else { continue }
            program.challenges[index].example = nil
            guard !provenance.isInherited(example.text.location) else { continue }
            diagnostics.report(
                .mismatchedExample, "the example does not match '\(challenge.name.value)': \(reason)",
                at: SourceSpan(location: example.text.location, length: 1),
                notes: [Diagnostic.Note("the challenge", at: challenge.name.location)])
        }
    }
}

extension ConcreteChallenge {
    /// Returns the reason why a response does not match the challenge; `nil` if it can match.
    fileprivate func mismatch(with example: ResponseExample) -> String? {
        if !statuses.isEmpty, !statuses.contains(example.status) {
            return "its status is \(example.status), not \(statuses.map(String.init).joined(separator: " or "))"
        }
        for part in parts where !part.isIn(example) { return part.absence }
        for scheme in schemes where !scheme.isOffered(by: example) {
            return "no field '\(scheme.field.rawValue)' offers the scheme '\(scheme.name)' with the parameters that it needs"
        }
        return nil
    }
}

extension ConcreteChallenge.Part {
    fileprivate func isIn(_ example: ResponseExample) -> Bool {
        guard let name else { return true }
        switch place {
        case .header:
            let values = example.values(of: name)
            return match.isAbsent ? values.isEmpty : values.contains { match.holds(for: $0) }
        case .cookie:
            let values = example.values(of: "set-cookie").map { $0.prefix { $0 != ";" } }.filter { $0.hasPrefix("\(name)=") }
                .map { String($0.dropFirst(name.count + 1)) }
            return match.isAbsent ? values.isEmpty : values.contains { match.holds(for: $0) }
        case .body: return match.holds(for: example.body)
        case .json, .xml:
            // The text can have the name in another place.
            guard !match.isAbsent else { return true }
            // The last name of the path, without `*`, indices in lists and the mark of an attribute.
            let last = name.split(separator: "/").last { $0 != "*" && Int($0) == nil }
            return last.map { example.body.contains($0.drop { $0 == "@" }) } ?? !example.body.isEmpty
        }
    }

    /// The message that the part is missing, or that it should be.
    fileprivate var absence: String {
        switch place {
        case .header where match.isAbsent: "it has the field '\(shownName)'"
        case .cookie where match.isAbsent: "it sets the cookie '\(shownName)'"
        case .header: "it has no field '\(shownName)' with that value"
        case .cookie: "it sets no cookie '\(shownName)' with that value"
        case .body: "its body does not have the text"
        case .json, .xml: "its body has no '\(shownName)'"
        }
    }
}

extension ConcreteChallenge.Match {
    fileprivate func holds(for value: String) -> Bool {
        switch self {
        case .anything: true
        case .absent: false
        case .equals(let text): value == text
        case .prefix(let text): value.hasPrefix(text)
        case .contains(let text): value.contains(text)
        case .anyCase(let text): value.lowercased() == text.lowercased()
        }
    }
}

extension ConcreteScheme {
    fileprivate func isOffered(by example: ResponseExample) -> Bool {
        example.values(of: field.rawValue).contains { value in
            let lowercased = value.lowercased()
            guard
                lowercased == name.lowercased() || lowercased.hasPrefix("\(name.lowercased()) ")
                    || lowercased.contains(", \(name.lowercased()) ") || lowercased.hasSuffix(", \(name.lowercased())")
            else { return false }
            return parameters.allSatisfy { parameter in
                // Another scheme in the same field can have it.
                guard !parameter.match.isAbsent else { return true }
                guard case .equals(let wanted) = parameter.match else {
                    return lowercased.contains("\(parameter.name.lowercased())=")
                }
                return value.contains("\(parameter.name)=\"\(wanted)\"") || value.contains("\(parameter.name)=\(wanted)")
            }
        }
    }
}

extension ResponseExample {
    /// Returns the values of a header field, whose name is compared without case.
    fileprivate func values(of name: String) -> [String] {
        fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
}
