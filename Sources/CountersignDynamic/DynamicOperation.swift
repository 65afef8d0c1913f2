@_spi(Generated) package import Countersign
package import CountersignSpec

/// An operation of a ``DynamicLandscape``.
package struct DynamicOperation: Sendable {
    package let resolved: ResolvedOperation
    private let landscape: ResolvedLandscape

    init(_ operation: ResolvedOperation, in landscape: ResolvedLandscape) {
        resolved = operation
        self.landscape = landscape
    }

    package var name: String { resolved.name.value }

    /// Performs the operation with given values.
    ///
    /// - Parameter version: `nil` for the default version.
    /// - Returns: The results by name. A result that is absent, or a Boolean that is `false`, is not included.
    /// - Throws: ``DynamicProblem``, and the errors of `Session.perform(_:)`.
    @discardableResult
    package func perform(
        version: String? = nil, with given: GivenValues, in session: Session
    ) async throws -> [String: ProgramValue] {
        let found = try self.version(named: version)
        let results = try await session.perform(try filled(found, with: given), with: found.program.tools)
        let named = zip(resolved.results.map(\.name.value), results.values).filter { $0.1 != .absent }
        return Dictionary(named.map { ($0.0, $0.1) }) { first, _ in first }
    }

    private func version(named name: String?) throws -> ResolvedOperation.Version {
        guard let found = resolved.versions.first(where: { name == nil || $0.name.value == name }) else {
            throw DynamicProblem.unknown(kind: "version", name: name ?? "", known: resolved.versions.map(\.name.value))
        }
        return found
    }

    private func filled(_ version: ResolvedOperation.Version, with given: GivenValues) throws -> LandscapeOperation {
        let program = version.program
        try checkSettings(of: program, given)
        let values = try SlotValues(landscape, program, fields: resolved.parameters ?? [], fromSettings: [], given: given)
        return LandscapeOperation(
            resolved, version, values: program.slots.filter { $0.source == .parameter }.map(values.value))
    }

    /// Checks that the settings that the steps name have values. Other settings are not needed.
    private func checkSettings(of program: ResolvedProgram, _ given: GivenValues) throws {
        for piece in program.slots.compactMap(\.filling?.template).flatMap(\.pieces) {
            guard case .settings(let name, _) = piece, given.settings[name] == nil,
                let field = landscape.settings?.fields.first(where: { $0.name.value == name }), !field.isOptional,
                field.defaultText == nil
            else { continue }
            throw DynamicProblem.missing(kind: "setting", name: name, summary: field.documentation.summary)
        }
    }
}
