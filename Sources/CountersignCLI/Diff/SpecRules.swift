import CountersignSpec

// The one table of what a difference between specs breaks. Differences that no rule lists are those of the Swift code, which
// `SwiftChanges` finds in the generated files.

/// The effect of a difference on one contract.
struct SpecImpact: Hashable {
    let area: LandscapeChange.Area
    let isBreaking: Bool
    /// The reason, if the difference does not show it. For the store, it is the whole text.
    var reason: String?

    static func breaking(_ area: LandscapeChange.Area, _ reason: String? = nil) -> Self {
        SpecImpact(area: area, isBreaking: true, reason: reason)
    }

    static func compatible(_ area: LandscapeChange.Area, _ reason: String? = nil) -> Self {
        SpecImpact(area: area, isBreaking: false, reason: reason)
    }
}

/// The rules that say what a difference breaks.
enum SpecRules {
    /// Returns the effects of a difference; none if it has an effect on the Swift code alone.
    static func impacts(of difference: SpecDifference) -> [SpecImpact] {
        guard difference.documents.stem != nil else { return landscape(difference) }
        guard let first = difference.path.first else { return [declared(difference)] }
        if first.isKey("variants") { return variant(difference) }
        return method(difference, at: difference.path[...])
    }

    /// A declaration to which others refer: it can be added, but not removed.
    private static func declared(_ difference: SpecDifference) -> SpecImpact {
        difference.kind == .added ? .compatible(.spec) : .breaking(.spec)
    }

    // MARK: The landscape

    private static func landscape(_ difference: SpecDifference) -> [SpecImpact] {
        let path = difference.path
        switch path.first?.text {
        case "landscape": return [.breaking(.swift, "applications import the module by its name")]
        case "settings": return value(difference, at: path.dropFirst())
        case "server": return [.breaking(.wire)]
        case "operations": return operation(difference)
        // `swift` and `overlaps`.
        default: return []
        }
    }

    private static func operation(_ difference: SpecDifference) -> [SpecImpact] {
        let path = difference.path
        guard path.count > 2 else { return [difference.kind == .added ? .compatible(.wire) : .breaking(.wire)] }
        switch path[2].text {
        case "types": return []
        case "parameters": return value(difference, at: path.dropFirst(3))
        // The type of a result is one of the Swift code.
        case "results": return path.count == 4 ? [declared(difference)] : []
        case "versions" where path.count == 4:
            if difference.kind == .moved { return [.breaking(.wire, "it is the default now, since it is the first")] }
            return [difference.kind == .added ? .compatible(.wire) : .breaking(.wire)]
        default: return [step(difference)]
        }
    }

    // MARK: Methods

    private static func variant(_ difference: SpecDifference) -> [SpecImpact] {
        let path = difference.path
        if path.count <= 2 { return [difference.kind == .added ? .compatible(.wire) : .breaking(.wire)] }
        return method(difference, at: path.dropFirst(2))
    }

    private static func method(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        let rest = path.dropFirst()
        switch path.first?.text {
        case "method":
            return [.breaking(.spec)] + StoreRules.lost(in: difference, "credentials are stored under the method's name")
        case "parameters": return value(difference, at: rest) + StoreRules.parameter(difference, at: rest)
        case "errors": return rest.count <= 1 ? [declared(difference)] : []
        case "failures": return [failure]
        case "challenge" where rest.count == 1:
            if difference.kind == .moved || difference.kind == .added && !difference.isAtEnd {
                return [.breaking(.wire, "the first challenge that matches is used")]
            }
            return [difference.kind == .added ? .compatible(.wire) : .breaking(.wire)]
        case "credential": return credential(difference, at: rest)
        case "attach": return [step(difference)] + StoreRules.attachment(difference, at: rest)
        case "swift": return []
        default: return [step(difference)]
        }
    }

    /// The effect of a difference in the error case for a failure. Without a case, applications get the error of the runtime.
    private static let failure = SpecImpact.breaking(.spec, "applications get another error")

    /// A part of the lifecycle, whose changes all change requests or accepted responses, apart from names, errors and responses
    /// that were not accepted before.
    private static func step(_ difference: SpecDifference) -> SpecImpact {
        let path = difference.path
        if path.contains(where: { $0.isKey("failures") }) { return failure }
        if path.last?.isKey("name") == true {
            return difference.kind == .added ? .compatible(.spec) : .breaking(.spec, "extending landscapes use the name")
        }
        // Whether a value is secret has an effect on descriptions and logs alone.
        let types = [difference.old, difference.new].map { $0?.text?.value ?? "string" }
        if path.last?.isKey("type") == true, types.allSatisfy(["string", "secret"].contains) { return .compatible(.wire) }
        // A response without the value is accepted as before, but a URL elsewhere ends the login.
        let isCapture = path.dropLast().last?.isKey("capture") == true
        if isCapture, difference.kind == .added, difference.new?["optional"]?.text?.value == "true" {
            let mustBeWithin = difference.new?["type"]?.text?.value == "url" && difference.new?["elsewhere"] == nil
            return mustBeWithin ? .breaking(.wire, "a URL at another origin ends the login") : .compatible(.wire)
        }
        let isAnswer = path.last?.kind == .item && path.dropLast().last?.isKey("answers") == true
        if isAnswer, difference.kind == .added, difference.isAtEnd { return .compatible(.wire) }
        return .breaking(.wire)
    }

    private static func credential(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        let store = StoreRules.credential(difference, at: path)
        guard path.first?.isKey("fields") == true else { return [.breaking(.wire)] + store }
        let rest = path.dropFirst()
        // A field has an effect on requests only where steps and placements use it, which are differences of their own.
        if rest.count <= 1 { return [declared(difference)] + store }
        return rest.last?.isKey("type") == true ? store : [.breaking(.wire)] + store
    }

    // MARK: Parameters and settings

    /// A parameter, a setting, or a part of one.
    ///
    /// - Parameter path: The path from the name.
    private static func value(_ difference: SpecDifference, at path: ArraySlice<SpecDifference.Step>) -> [SpecImpact] {
        if path.count <= 1 { return wholeValue(difference, isGroup: path.isEmpty) }
        let wasOptional = difference.parents.old?["optional"]?.text?.value == "true"
        switch path.dropFirst().first?.text {
        case "default":
            if difference.kind == .changed { return [.breaking(.wire, "applications that give no value send another one")] }
            if difference.kind == .removed { return [.breaking(.spec, "the value has no default any more")] }
            return wasOptional ? [.breaking(.wire, "applications that give no value send one")] : [.compatible(.spec)]
        case "optional":
            let isOptional = difference.parents.new?["optional"]?.text?.value == "true"
            return [isOptional ? .compatible(.spec) : .breaking(.spec, "the value is required")]
        case "from": return [.breaking(.wire)]
        // It has an effect on stored credentials alone.
        case "identifies": return []
        // Without a path to a value, the type has changed, too.
        case "values": return path.count > 2 ? [declared(difference)] : []
        default: return [.breaking(.spec)]
        }
    }

    private static func wholeValue(_ difference: SpecDifference, isGroup: Bool) -> [SpecImpact] {
        switch difference.kind {
        case .removed, .changed: return [.breaking(.spec)]
        // The order is that of the initialiser.
        case .moved: return []
        case .added:
            let values = isGroup ? difference.new?.entries.map(\.value) ?? [] : [difference.new].compactMap(\.self)
            return [values.allSatisfy(isFilled) ? .compatible(.spec) : .breaking(.spec, "it is required")]
        }
    }

    /// Whether an application need not give the value.
    private static func isFilled(_ value: DocumentNode) -> Bool {
        value["default"] != nil || value["from"] != nil || value["optional"]?.text?.value == "true"
    }
}
