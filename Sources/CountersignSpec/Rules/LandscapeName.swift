/// The rule for the name of a landscape, which is also the name of its module.
package enum LandscapeName {
    /// Returns the reason why a landscape cannot have a name; `nil` if it can, as far as the name alone shows it.
    package static func problem(with name: String) -> String? {
        guard TextForm.typeName.accepts(name) else { return "it must be \(TextForm.typeName.expectation)" }
        return ReservedNames.types.contains(name) ? "it would hide a type that generated code needs" : nil
    }
}
