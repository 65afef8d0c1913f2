import CountersignSpec

/// The declarations generated for a method, besides its parameters.
struct ProgramPlan: Sendable {
    let parameters, observer: SwiftTypeName
    let program: SwiftExpression
    let tools: [ProgramTool]
    /// The values of the parameters' slots.
    let values: [SwiftExpression]
    /// Whether steps acquire the credential and more than one request uses it, so that storing it is useful.
    let isStored: Bool
    /// The prompts that the application answers; `nil` if there are none.
    let prompting: PromptingPlan?
    /// The method that takes a credential from the application; `nil` if it cannot provide one.
    let adoption: AdoptionPlan?
    /// The struct with the credential's values; `nil` if the application cannot read any.
    let credential: CredentialPlan?
    let programDocumentation, observerDocumentation, initialiserDocumentation: DocumentationText
}

/// The protocol for the prompts of a method, and the type that calls it.
struct PromptingPlan: Sendable {
    let name, prompter: SwiftTypeName
    let documentation: DocumentationText
    /// Whether the application may omit the object that answers the prompts.
    let isOptional: Bool
    /// Whether servers can request values, too.
    let asksPages: Bool
    let prompts: [Prompt]

    struct Prompt: Sendable {
        let number: Int
        let name: SwiftIdentifier
        let documentation: DocumentationText
        /// The type of the application's answer: one value, or a tuple of several.
        let answer: SwiftExpression
        /// The expression for the list of the answer's values, in the order of the slots.
        let values: SwiftExpression
    }
}

/// The file `landscape.generated.swift`.
struct ProgramsPlan: Sendable {
    let name: SwiftTypeName
    let documentation: DocumentationText
    let operations: [OperationPlan]
    let programs: SwiftExpression
}

extension ProgramPlan {
    init(_ program: ResolvedProgram) throws {
        parameters = try program.type("Parameters")
        observer = try program.type("Observer")
        self.program = ProgramCompiler.program(program)
        tools = program.tools
        values = try SlotFilling(program).values(of: ResolvedParameters(of: program), named: "self")
        isStored = !program.acquire.isEmpty && program.credential.space != .request
        prompting = program.prompts.isEmpty && !program.asksPages ? nil : try PromptingPlan(program)
        let cookies = program.credential.cookies == nil ? [] : ["- the cookies of the login"]
        adoption = try AdoptionPlan(program)
        credential = try CredentialPlan(program)
        let fields = program.credential.fields.map { "- `\(program.slots[$0.slot].name.value)`: \($0.summary)" } + cookies
        programDocumentation = DocumentationText(
            "The method as data.",
            discussion: fields.isEmpty
                ? "The credential is the system's." : "The credential consists of:\n\n\(fields.joined(separator: "\n"))")
        let answers = prompting == nil ? "" : " and an object that answers its prompts"
        let shared =
            program.credential.space == .request
            ? "Each challenged request has its own credential."
            : "Requests that are challenged at the same time share one credential."
        let sharing = program.challenges.isEmpty ? "" : " \(shared)"
        observerDocumentation = DocumentationText(
            program.documentation.summary,
            discussion: """
                \(program.documentation.discussion.map { "\($0)\n\n" } ?? "")\(program.challengeList)Create it with the method's parameters\(answers), and \
                register it on a session.\(sharing)
                """, callouts: [Planning.remark(program.name.location)])
        let need =
            program.alwaysAsks || program.asksPages ? "" : " It may be `nil` if the parameters have the requested values."
        let prompter = DocumentationText.Callout.Parameter(name: "prompting", summary: "Answers the prompts.\(need)")
        let store = DocumentationText.Callout.Parameter(
            name: "store", summary: "The persistent store of the credential; `nil` for memory only.")
        initialiserDocumentation = DocumentationText(
            "Creates an observer.",
            callouts: [
                .parameters(
                    [.init(name: "parameters", summary: "The parameters of \(program.label).")]
                        + (prompting == nil ? [] : [prompter]) + (isStored ? [store] : []))
            ])
    }
}

extension PromptingPlan {
    init(_ program: ResolvedProgram) throws {
        name = try program.type("Prompting")
        prompter = try program.type("Prompter")
        asksPages = program.asksPages
        isOptional = !program.alwaysAsks && !asksPages
        documentation = DocumentationText(
            "Answers the prompts of \(program.label).", callouts: [Planning.remark(program.name.location)])
        prompts = try program.prompts.enumerated().map { try Prompt($0, $1, of: program) }
        for (number, prompt) in prompts.enumerated() where prompts[..<number].contains(where: { $0.name == prompt.name }) {
            throw GenerationProblem(
                .duplicateName, at: program.slots[program.prompts[number][0].slot].name.location,
                "two prompts would be called '\(prompt.name.name)'; rename a field")
        }
    }
}

extension PromptingPlan.Prompt {
    fileprivate init(_ number: Int, _ fields: [ResolvedProgram.PromptField], of program: ResolvedProgram) throws {
        let slots = fields.map { program.slots[$0.slot] }
        let names = try slots.map { try Planning.identifier($0.name) }
        self.number = number
        name = try Planning.identifier(Located(Self.joined(names.map(\.name)), at: slots[0].name.location))
        let summaries = zip(names, fields).map { "- `\($0.name)`: \($1.summary)" }.joined(separator: "\n")
        documentation = DocumentationText(
            "Asks for \(Self.listed(names.map(\.name))).",
            discussion: "\(summaries)\n\nShow the user the `origin` of the prompt, which will receive the answer.",
            callouts: [
                .parameters([.init(name: "prompt", summary: "The request for the values.")]),
                .returns("The answer; `nil` if there is none."),
                .throws("`CancellationError` if the user cancelled. Pending requests fail with any other error."),
            ])
        let types = fields.map(\.type)
        if names.count == 1 {
            answer = types[0].answer
            values = .list([types[0].value("answer")])
        } else {
            answer = .sequence(
                ["("] + zip(names, types).map { ["\($0.label): \($1.answer)"] }.joined(separator: [", "]) + [")"])
            values = .list(zip(names, types).map { name, type in type.value("answer.\(name)") })
        }
    }

    /// `user`, `userAndPassword`, `userPasswordAndRealm`.
    private static func joined(_ names: [String]) -> String {
        let capitalised = names.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard let last = capitalised.last else { return names.joined() }
        return names[0] + capitalised.dropLast().joined() + "And" + last
    }

    /// `user`, `user` and `password`, `user`, `password` and `realm`, as code.
    private static func listed(_ names: [String]) -> String {
        let names = names.map { "`\($0)`" }
        guard names.count > 1, let last = names.last else { return names.joined() }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}

extension ResolvedProgram.PromptField.Kind {
    /// The type of the value that the application returns.
    fileprivate var answer: SwiftExpression { self == .identity ? "ConnectionIdentity" : "String" }

    fileprivate func value(_ answer: SwiftExpression) -> SwiftExpression {
        switch self {
        case .text: ".text(\(answer))"
        case .secret: ".secret(\(answer))"
        case .identity: ".identity(\(answer))"
        }
    }
}

extension ProgramsPlan {
    init(_ scope: LandscapeScope) throws {
        let landscape = scope.landscape
        operations = try landscape.operations.map { try OperationPlan($0, in: scope) }
        name = try Planning.typeName(landscape.name.value + "Landscape", at: landscape.name.location)
        documentation = DocumentationText(
            "The landscape \(landscape.name.value): \(landscape.documentation.summary)",
            discussion: landscape.documentation.discussion, callouts: [Planning.remark(landscape.name.location)])
        programs = .list(try landscape.programs.map { "\(try $0.type("Parameters")).program" })
    }
}

extension ResolvedProgram {
    /// The method's title; its name if it has no title.
    var label: String { title ?? name.value }

    /// Returns the name of a type that is generated for the method.
    func type(_ suffix: String) throws -> SwiftTypeName {
        try Planning.typeName(name.value + suffix, at: name.location)
    }
}

extension ResolvedParameters {
    /// The struct with the parameters of a method.
    init(of program: ResolvedProgram) {
        self.init(
            name: Located("\(program.name.value)Parameters", at: program.name.location),
            documentation: Documentation(summary: "The parameters of \(program.label)."),
            fields: program.parameters.map(\.showingExample))
    }
}
