import CountersignSpec

/// An operation of a landscape: the enumeration of its versions, the structs of its parameters and results, and the methods of
/// the session that perform it.
struct OperationPlan: Sendable {
    let name: SwiftIdentifier
    let versionType: SwiftTypeName
    let session: SwiftTypeName
    /// The parameters of the session's methods, besides the version; at least one.
    let inputs: [Input]
    /// The struct of the parameters; `nil` if the operation has none.
    let parameters: ParametersPlan?
    /// The results of the operation; `nil` if it has none.
    let results: Results?
    /// The tools that the steps need.
    let tools: [ProgramTool]
    /// Whether the session also has a method with a completion handler.
    let hasHandler: Bool
    /// Whether a public declaration names a URL or a date.
    let usesFoundation: Bool
    let typeDocumentation, operationDocumentation, methodDocumentation, handlerDocumentation: DocumentationText
    /// At least one; the first is the default.
    let versions: [Version]

    /// An argument that the application passes.
    struct Input: Sendable {
        let name: SwiftIdentifier
        let type: SwiftTypeName
        let summary: String
    }

    /// The struct of the results.
    struct Results: Sendable {
        let type: ParametersPlan
        /// The expression that creates the struct from the runtime's `results`.
        let initialisation: SwiftExpression
    }

    /// A case of the enumeration.
    struct Version: Sendable {
        let name: SwiftIdentifier
        let documentation: DocumentationText
        /// The expression that creates the operation from the inputs.
        let operation: SwiftExpression
    }
}

extension OperationPlan {
    init(_ operation: ResolvedOperation, in scope: LandscapeScope) throws {
        let location = operation.name.location
        let name = "`\(operation.name.value)`"
        self.name = try Planning.identifier(operation.name)
        versionType = try Planning.typeName(operation.typeName(.version), at: location)
        session = scope.landscape.hasFoundationSurface ? scope.session : try Planning.typeName("Session", at: location)
        let parameters = operation.parameterStruct
        self.parameters = try parameters.map { try ParametersPlan($0, as: .program, in: scope) }
        results = operation.results.isEmpty ? nil : try Results(of: operation)
        tools = ProgramTool.allCases.filter { tool in operation.versions.contains { $0.program.tools.contains(tool) } }
        hasHandler = scope.landscape.hasFoundationSurface
        usesFoundation =
            operation.parameters?.contains { $0.type == .url } == true
            || operation.results.contains { [.url, .date].contains($0.type) }
        inputs = try Self.inputs(of: operation, in: scope)
        typeDocumentation = DocumentationText(
            "The versions of the operation \(name).", discussion: operation.documentation.summary,
            callouts: [Planning.remark(location)])
        operationDocumentation = DocumentationText(
            operation.usesSettings ? "The operation at the server of the settings." : "The operation with these parameters.")
        let usual = operation.versions.first?.name.value ?? ""
        let arguments =
            inputs.map { DocumentationText.Callout.Parameter(name: $0.name.name, summary: $0.summary) }
            + [.init(name: "version", summary: "The version of the operation at the server; `\(usual)` by default.")]
        let returned: [DocumentationText.Callout] = results == nil ? [] : [.returns("The results of the operation.")]
        methodDocumentation = DocumentationText(
            operation.documentation.summary, discussion: Self.discussion(operation),
            callouts: [.parameters(arguments)] + returned
                + [.throws("`CountersignError`; `URLError`; the errors of a credential store.")])
        handlerDocumentation = DocumentationText(
            """
            The same with a completion handler, which is called once, on any thread, with \
            \(results == nil ? "an error or `nil`" : "the results or an error").
            """)
        versions = try operation.versions.map { try Version($0, of: operation, parameters, scope.landscape.settings) }
    }

    private static func inputs(of operation: ResolvedOperation, in scope: LandscapeScope) throws -> [Input] {
        let location = operation.name.location
        var inputs: [Input] = []
        if operation.usesSettings {
            guard let settingsType = scope.settingsType else {
                throw GenerationProblem(at: location, "an operation without parameters needs a landscape with settings")
            }
            let name = try Planning.identifier(Located("settingsParameters", at: location))
            inputs.append(Input(name: name, type: settingsType, summary: "The settings."))
        }
        if operation.parameters != nil {
            let name = try Planning.identifier(Located("parameters", at: location))
            let type = try Planning.typeName(operation.typeName(.parameters), at: location)
            inputs.append(Input(name: name, type: type, summary: "The parameters of the operation."))
        }
        return inputs
    }

    private static func discussion(_ operation: ResolvedOperation) -> String {
        let usesSession = operation.versions.contains { $0.program.calls.contains(where: \.usesSession) }
        let request: String? =
            usesSession
            ? nil : "The request carries the session's cookies. Observers do not take part, and challenges are not answered."
        let end: String? =
            switch operation.ends {
            case .nothing: nil
            case .userSession:
                """
                Then the user's session ends here, whatever the server said: cookies and tokens are dropped, running authentications \
                discarded. So an error says what was not done at the server, or which token a store still has, and the next request \
                authenticates anew in any case.
                """
            }
        return [operation.documentation.discussion, request, end].compactMap(\.self).joined(separator: "\n\n")
    }
}

extension OperationPlan.Version {
    fileprivate init(
        _ version: ResolvedOperation.Version, of operation: ResolvedOperation, _ parameters: ResolvedParameters?,
        _ settings: ResolvedParameters?
    ) throws {
        let name = try Planning.identifier(version.name)
        let program = version.program
        let ends: [SwiftExpression.Argument] =
            switch operation.ends {
            case .nothing: []
            case .userSession: [.init("ends", ".userSession")]
            }
        let compiler = TemplateCompiler(
            parameters: parameters.map { (fields: $0, owner: "parameters") },
            settings: settings.map { (fields: $0, owner: "settingsParameters") })
        self.init(
            name: name,
            documentation: DocumentationText(
                program.documentation.summary, discussion: program.documentation.discussion),
            operation: .call(
                "LandscapeOperation",
                [
                    .init("name", .text(SwiftStringLiteral(operation.name.value))),
                    .init("version", .text(SwiftStringLiteral(version.name.value))),
                    .init("summary", .text(SwiftStringLiteral(program.documentation.summary))),
                ] + ProgramCompiler.slots(of: program)
                    + ProgramCompiler.list("values", try SlotFilling(program).values(by: compiler))
                    + ProgramCompiler.list("results", version.results.map { .number($0) })
                    + ProgramCompiler.documents(of: program) + [.init("steps", ProgramCompiler.steps(of: program))] + ends))
    }
}

extension OperationPlan.Results {
    fileprivate init(of operation: ResolvedOperation) throws {
        type = try ParametersPlan(resultsOf: operation)
        let arguments = try operation.results.enumerated().map { index, result in
            (result: result, argument: SwiftExpression.Argument(try Planning.identifier(result.name), result.value(at: index)))
        }
        // The initialiser takes the required results first.
        initialisation = .call(
            "self.init",
            arguments.filter { !$0.result.isOptional }.map(\.argument) + arguments.filter(\.result.isOptional).map(\.argument))
    }
}

extension ResolvedOperation {
    /// The struct of the parameters; `nil` if the operation has none.
    var parameterStruct: ResolvedParameters? {
        parameters.map { fields in
            ResolvedParameters(
                name: Located(typeName(.parameters), at: name.location),
                documentation: Documentation(summary: "The parameters of the operation `\(name.value)`."),
                fields: fields.map(\.showingExample))
        }
    }
}

extension ResolvedOperation.ResultField {
    /// Returns the expression that reads the value from the runtime's `results`.
    fileprivate func value(at index: Int) -> SwiftExpression {
        let index = SwiftExpression.number(index)
        let value: SwiftExpression =
            switch type {
            case .boolean: "results.flag(\(index))"
            case .string, .secret: "results.text(\(index))"
            case .url: "results.url(\(index))"
            case .texts: "results.texts(\(index))"
            case .date: "results.date(\(index))"
            case .duration: "results.duration(\(index))"
            }
        return isOptional || type == .boolean ? value : "try results.required(\(value))"
    }
}
