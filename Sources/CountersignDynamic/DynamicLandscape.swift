@_spi(Generated) package import Countersign
@_spi(Generated) internal import CountersignIdentity
package import CountersignSpec

/// A landscape that is executed directly from its specs, without generated or compiled code.
package struct DynamicLandscape: Sendable {
    package let resolved: ResolvedLandscape
    /// In the order of the file names.
    package let methods: [DynamicMethod]
    /// In the order of the file.
    package let operations: [DynamicOperation]

    /// Reads a landscape.
    ///
    /// - Throws: ``DynamicProblem/specs(_:_:)``.
    package init(_ sources: SpecSources, unreadable: [Diagnostic] = []) throws {
        let reading = SpecReader.read(sources, unreadable: unreadable)
        guard let landscape = reading.landscape, !reading.diagnostics.contains(where: { $0.severity == .error }) else {
            throw DynamicProblem.specs(reading.diagnostics, sources)
        }
        resolved = landscape
        methods =
            landscape.programs.map { DynamicMethod($0, in: landscape) }
            + landscape.programMethods.map { DynamicMethod($0, in: landscape) }
        operations = landscape.operations.map { DynamicOperation($0, in: landscape) }
    }

    package var name: String { resolved.name.value }

    /// Returns the operation with a name.
    ///
    /// - Throws: ``DynamicProblem``.
    package func operation(named name: String) throws -> DynamicOperation {
        guard let operation = operations.first(where: { $0.name == name }) else {
            throw DynamicProblem.unknown(kind: "operation", name: name, known: operations.map(\.name))
        }
        return operation
    }

    /// Returns the method with a name.
    ///
    /// - Parameter name: `nil` for the only method that can authenticate requests.
    /// - Throws: ``DynamicProblem``.
    package func method(named name: String?) throws -> DynamicMethod {
        guard let name else {
            let usual = methods.filter { $0.kind != .enrolment }
            guard usual.count == 1 else { throw DynamicProblem.ambiguous(kind: "method", known: usual.map(\.name)) }
            return usual[0]
        }
        guard let method = methods.first(where: { $0.name == name }) else {
            throw DynamicProblem.unknown(kind: "method", name: name, known: methods.map(\.name))
        }
        return method
    }
}

/// A method of a ``DynamicLandscape``.
package struct DynamicMethod: Sendable {
    /// The way in which requests carry the credential.
    package enum Kind: Sendable, Hashable {
        /// As the program defines.
        case attached
        /// In the session's own cookies.
        case cookies
        /// As a token of OAuth 2.0.
        case token
        /// Not at all: the application receives it.
        case enrolment
    }

    /// A way to obtain the credential.
    package struct Variant: Sendable {
        /// `nil` if it is the only one.
        package let name: String?
        package let resolved: ResolvedProgram
        package let fields: [ResolvedField]
        let fromSettings: [(field: Located<String>, template: ResolvedTemplate)]
        package let program: MethodProgram

        /// The names of the fields whose values come from the settings if they are not given.
        package var derived: [String] { fromSettings.map(\.field.value) }
    }

    package let name: String
    package let resolved: ResolvedProgram
    package let kind: Kind
    /// The ways to the credential, except those that another one takes over from after the first credential: their values can be
    /// used only once.
    package let variants: [Variant]
    private let landscape: ResolvedLandscape

    fileprivate init(_ program: ResolvedProgram, in landscape: ResolvedLandscape) {
        self.landscape = landscape
        name = program.name.value
        resolved = program
        kind = .attached
        variants = [
            Variant(name: nil, resolved: program, fields: program.parameters, fromSettings: [], program: MethodProgram(program))
        ]
    }

    fileprivate init(_ method: ResolvedSurfaceMethod, in landscape: ResolvedLandscape) {
        self.landscape = landscape
        name = method.name.value
        resolved = method.program
        kind =
            switch method.kind {
            case .cookies: .cookies
            case .token: .token
            case .prompted: .attached
            case .application: .enrolment
            }
        let program = MethodProgram(method.program)
        variants =
            method.grants.isEmpty
            ? [
                Variant(
                    name: nil, resolved: method.program, fields: method.parameters?.fields ?? method.program.parameters,
                    fromSettings: method.parameters?.fromSettings ?? [], program: program)
            ]
            : method.grants.filter { $0.next == nil }.map { grant in
                Variant(
                    name: grant.name.value, resolved: grant.program, fields: grant.parameters.fields,
                    fromSettings: grant.parameters.fromSettings ?? [], program: program.with(grant.program))
            }
    }

    /// Returns the variant with a name.
    ///
    /// - Parameter name: `nil` for the only variant.
    /// - Throws: ``DynamicProblem``.
    package func variant(named name: String?) throws -> Variant {
        guard let name else {
            guard variants.count == 1 else {
                throw DynamicProblem.ambiguous(kind: "variant", known: variants.compactMap(\.name))
            }
            return variants[0]
        }
        guard let variant = variants.first(where: { $0.name == name }) else {
            throw DynamicProblem.unknown(kind: "variant", name: name, known: variants.compactMap(\.name))
        }
        return variant
    }

    /// Returns the program of a variant, filled with given values.
    ///
    /// - Parameter tools: The tools that its steps need; `nil` for those of the product.
    /// - Throws: ``DynamicProblem``.
    package func filled(_ variant: Variant, with given: GivenValues, tools: ProgramTools? = nil) throws -> FilledProgram {
        guard kind != .enrolment else { throw DynamicProblem.enrolment(method: name) }
        let values = try SlotValues(
            landscape, variant.resolved, fields: variant.fields, fromSettings: variant.fromSettings, given: given)
        let program = variant.program
        return FilledProgram(
            program, values: variant.resolved.slots.map(values.value),
            tools: tools ?? variant.resolved.tools
        ) { number, detail, cause in program.error(number, detail, cause) }
    }
}
