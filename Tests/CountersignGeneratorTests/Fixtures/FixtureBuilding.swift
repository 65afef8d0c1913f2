@testable import CountersignSpec

/// Gives each part of a fixture a place of its own in a file.
struct FixtureFile {
    let path: String

    /// A value and the line that it is on.
    func at<Value: Sendable>(_ line: Int, _ value: Value) -> Located<Value> {
        Located(value, at: SourceLocation(file: path, line: line, column: 3))
    }

    /// A template, read as the spec's reader reads it: `{name}` and `{settings.name}` are references.
    func template(_ line: Int, _ text: String) -> ResolvedTemplate {
        var pieces: [ResolvedTemplate.Piece] = []
        var rest = text[...]
        while let match = rest.firstMatch(of: /\{(settings\.)?([A-Za-z0-9_]+)\}/) {
            if match.range.lowerBound != rest.startIndex { pieces.append(.text(String(rest[..<match.range.lowerBound]))) }
            let name = String(match.2)
            pieces.append(match.1 == nil ? .parameter(name, .string) : .settings(name, .string))
            rest = rest[match.range.upperBound...]
        }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        return ResolvedTemplate(text: text, location: at(line, text).location, pieces: pieces)
    }

    func field(
        _ line: Int, _ name: String, _ type: FieldType, _ summary: String, optional: Bool = false, default text: String? = nil,
        example: String? = nil
    ) -> ResolvedField {
        ResolvedField(
            name: at(line, name), type: type, documentation: Documentation(summary: summary), isOptional: optional,
            defaultText: text.map { at(line, $0) }, example: example.map { at(line, $0) })
    }

    func errorCase(
        _ line: Int, _ name: String, _ summary: String, reason: String? = nil, recovery: String? = nil, since: String? = nil,
        carries: [(String, ResolvedErrorCase.CarriedType)] = []
    ) -> ResolvedErrorCase {
        ResolvedErrorCase(
            name: at(line, name), documentation: Documentation(summary: summary), reason: reason, recovery: recovery, since: since,
            carries: carries.map { (label: at(line, $0.0), type: $0.1) })
    }

    func present(
        _ line: Int, url: String, finish: String, match: ResolvedPresent.FinishMatch = .pathAndQueryNames,
        failures: [(ResolvedPresent.PresentFailure, String)] = []
    ) -> ResolvedStep {
        .present(
            ResolvedPresent(
                location: at(line, ()).location, url: template(line, url), finish: template(line, finish), match: match,
                failures: failures.map { (failure: $0.0, errorCase: at(line, $0.1)) }))
    }
}
