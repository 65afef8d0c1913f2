// Compares the parameters of two versions of a function or an initialiser.

/// The difference between two versions of a function's declaration.
struct SwiftParameters {
    /// The changes, such as `parameter 'tenant: String' is required`; empty if the parameters are not the difference.
    let changes: [String]
    /// Whether every call of the old version is also one of the new version.
    let isCompatible: Bool

    init(from old: String, to new: String) {
        guard let before = Self.split(old), let after = Self.split(new) else {
            (changes, isCompatible) = ([], false)
            return
        }
        var changes: [String] = []
        var isCompatible = before.start == after.start && before.end == after.end
        let labels = (old: before.parameters.map(Self.label), new: after.parameters.map(Self.label))
        for (label, parameter) in zip(labels.old, before.parameters) where !labels.new.contains(label) {
            changes.append("parameter '\(parameter)' is removed")
            isCompatible = false
        }
        for (label, parameter) in zip(labels.new, after.parameters) {
            guard let index = labels.old.firstIndex(of: label) else {
                let isRequired = !parameter.contains(" = ")
                changes.append("parameter '\(parameter)' is \(isRequired ? "required" : "added")")
                if isRequired { isCompatible = false }
                continue
            }
            let was = before.parameters[index]
            guard was != parameter else { continue }
            changes.append("parameter '\(was)' is now '\(parameter)'")
            // A default can be added or changed.
            if Self.type(was) != Self.type(parameter) || was.contains(" = ") && !parameter.contains(" = ") { isCompatible = false }
        }
        let common = (old: labels.old.filter(labels.new.contains), new: labels.new.filter(labels.old.contains))
        if common.old != common.new {
            changes.append("the parameters have another order")
            isCompatible = false
        }
        self.changes = before.start == after.start && before.end == after.end ? changes : []
        self.isCompatible = isCompatible
    }

    private static func label(_ parameter: String) -> String { String(parameter.prefix { $0 != ":" && $0 != " " }) }

    /// Returns a parameter without its default.
    private static func type(_ parameter: String) -> String {
        parameter.firstRange(of: " = ").map { String(parameter[..<$0.lowerBound]) } ?? parameter
    }

    private static func split(_ text: String) -> (start: Substring, parameters: [String], end: Substring)? {
        // Attributes can have parentheses; the name is directly before the parameters.
        guard let keyword = text.firstRange(of: "func ") ?? text.firstRange(of: "init"),
            let open = text[keyword.upperBound...].firstIndex(of: "("),
            let end = SwiftHead.end(ofGroupAt: open, in: text[...])
        else { return nil }
        let list = text[text.index(after: open)..<text.index(before: end)]
        return (text[..<open], SwiftHead.parts(of: list), text[end...])
    }
}
