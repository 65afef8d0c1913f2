import CountersignGenerator
import CountersignSpec

// Brings the differences of the specs and of the generated code together.

/// The changes between two versions of a landscape.
struct LandscapeComparison {
    let oldName: String
    let newName: String
    /// The changes, the breaking ones first.
    let changes: [LandscapeChange]
    /// The number of changes of documentation, examples and mocks.
    let documentation: Int

    var breaking: [LandscapeChange] { changes.filter(\.isBreaking) }

    init(from old: Generation, to new: Generation) {
        oldName = Self.name(of: old)
        newName = Self.name(of: new)
        let specs = SpecDifferences(from: old.documents, to: new.documents)
        documentation = specs.documentation
        let code = SwiftChanges.changes(from: Self.surface(of: old), to: Self.surface(of: new))
        changes = (specs.all.flatMap(Self.changes) + code).sorted()
    }

    private static func name(of generation: Generation) -> String {
        generation.documents.landscape?["landscape"]?.text?.value ?? ""
    }

    private static func surface(of generation: Generation) -> SwiftSurface { SwiftSurface((generation.files ?? []).map(\.text)) }

    private static func changes(of difference: SpecDifference) -> [LandscapeChange] {
        SpecRules.impacts(of: difference).map { impact in
            LandscapeChange(
                area: impact.area, kind: difference.kind, isBreaking: impact.isBreaking, subject: difference.subject,
                text: text(of: difference, impact), old: difference.texts.old, new: difference.texts.new,
                location: difference.location)
        }
    }

    private static func text(of difference: SpecDifference, _ impact: SpecImpact) -> String {
        guard let reason = impact.reason else { return text(of: difference) }
        return impact.area == .store ? reason : "\(text(of: difference)); \(reason)"
    }

    private static func text(of difference: SpecDifference) -> String {
        // A mapping with documentation alone is empty here.
        func part(_ text: String?) -> String { text.map { $0 == "{}" ? "" : " \($0)" } ?? "" }
        return switch difference.kind {
        case .added: "added" + part(difference.texts.new)
        case .removed: "removed" + part(difference.texts.old)
        case .changed: "\(difference.texts.old ?? "") is now \(difference.texts.new ?? "")"
        case .moved: "moved"
        }
    }
}
