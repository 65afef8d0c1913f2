// Compares the public declarations of the Swift code that is generated from two versions of the specs.

/// The rules that say which changes of declarations break the source of applications.
enum SwiftChanges {
    private struct Key: Hashable {
        let context: String
        let kind: SwiftDeclaration.Kind
        let name: String
        let isRequirement: Bool
    }

    static func changes(from old: SwiftSurface, to new: SwiftSurface) -> [LandscapeChange] {
        let (before, after) = (groups(old), groups(new))
        let removedTypes = types(old).subtracting(types(new))
        let addedTypes = types(new).subtracting(types(old))
        var changes: [LandscapeChange] = []
        for key in Set(before.keys).union(after.keys) {
            let match = Match(before[key] ?? [], after[key] ?? [])
            changes += match.changed.compactMap { change(from: $0, to: $1) }
            changes += match.removed.filter { !isPart($0, of: removedTypes) }.map { row(.removed, true, $0, "is removed", $0, nil) }
            changes += match.added.filter { !isPart($0, of: addedTypes) }.map { added($0, in: new) }
        }
        return changes
    }

    private static func groups(_ surface: SwiftSurface) -> [Key: [SwiftDeclaration]] {
        Dictionary(grouping: surface.declarations) {
            Key(context: $0.context, kind: $0.kind, name: $0.name, isRequirement: $0.isRequirement)
        }
    }

    /// The overloads of one name that are in one version only, or that differ.
    private struct Match {
        private(set) var changed: [(SwiftDeclaration, SwiftDeclaration)] = []
        private(set) var removed: [SwiftDeclaration]
        private(set) var added: [SwiftDeclaration] = []

        init(_ old: [SwiftDeclaration], _ new: [SwiftDeclaration]) {
            removed = old
            for declaration in new {
                if let index = removed.firstIndex(where: { $0.text == declaration.text }) {
                    removed.remove(at: index)
                } else {
                    added.append(declaration)
                }
            }
            let count = min(removed.count, added.count)
            changed = zip(removed, added).map { ($0, $1) }
            removed.removeFirst(count)
            added.removeFirst(count)
        }
    }

    private static func types(_ surface: SwiftSurface) -> Set<String> {
        Set(surface.declarations.filter { $0.kind == .type }.map(\.title))
    }

    /// Whether a declaration is in a type that is added or removed as a whole.
    private static func isPart(_ declaration: SwiftDeclaration, of types: Set<String>) -> Bool {
        let context = declaration.context
        return types.contains { context == $0 || context.hasPrefix($0 + ".") || context.hasSuffix("<\($0)>") }
    }

    private static func added(_ declaration: SwiftDeclaration, in surface: SwiftSurface) -> LandscapeChange {
        switch declaration.kind {
        // An enumeration in a struct has the values of a parameter. Applications give them, and rarely switch over them.
        case .enumerationCase where declaration.context.contains("."):
            return row(.added, false, declaration, "is added", nil, declaration)
        case .enumerationCase:
            return row(.added, true, declaration, "is added; switches over all cases need it", nil, declaration)
        case _ where declaration.isRequirement:
            let hasDefault = surface.declarations.contains {
                !$0.isRequirement && ($0.context, $0.kind, $0.name) == (declaration.context, declaration.kind, declaration.name)
            }
            let text = hasDefault ? "is added, with a default" : "is added; conforming types need it"
            return row(.added, !hasDefault, declaration, text, nil, declaration)
        default: return row(.added, false, declaration, "is added", nil, declaration)
        }
    }

    private static func change(from old: SwiftDeclaration, to new: SwiftDeclaration) -> LandscapeChange? {
        if new.kind == .function || new.kind == .initialiser {
            let parameters = SwiftParameters(from: old.text, to: new.text)
            if !parameters.changes.isEmpty {
                return row(
                    .changed, new.isRequirement || !parameters.isCompatible, new, parameters.changes.joined(separator: ", "), old,
                    new)
            }
        }
        return row(.changed, true, new, "'\(old.text)' is now '\(new.text)'", old, new)
    }

    private static func row(
        _ kind: LandscapeChange.Kind, _ isBreaking: Bool, _ declaration: SwiftDeclaration, _ text: String,
        _ old: SwiftDeclaration?, _ new: SwiftDeclaration?
    ) -> LandscapeChange {
        LandscapeChange(
            area: .swift, kind: kind, isBreaking: isBreaking, subject: declaration.title, text: text, old: old?.text,
            new: new?.text, location: nil)
    }
}
