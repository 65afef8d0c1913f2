extension LocatedProgramTemplate {
    /// Returns the slot of the value to which the whole text refers.
    ///
    /// - Parameters:
    ///   - rule: The message for another text, or for a reference to a value that is not valid.
    ///   - isValid: Whether a value is valid.
    /// - Returns: `nil` if there is no such slot, which is reported.
    func slot(
        orReport rule: String, into diagnostics: inout DiagnosticCollector, where isValid: (ProgramScope.Value) -> Bool
    ) -> Int? {
        if let reference = loneReference, let value = reference.value, isValid(value), case .slot(let slot) = reference.piece {
            return slot
        }
        diagnostics.report(.wrongType, rule, at: loneReference?.span ?? span)
        return nil
    }
}
