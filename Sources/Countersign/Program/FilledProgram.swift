package import HTTPTypes

/// A program with the values of its parameters, for programs without a generated parameter type.
package struct FilledProgram: Sendable {
    /// Creates an error of the method; see ``ProgramParameters/error(_:_:_:)``.
    package typealias MakesError = @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?

    package let program: MethodProgram
    /// The values of the slots. Slots without a value are absent.
    package let values: [ProgramValue]
    private let tools: ProgramTools
    private let error: MakesError

    /// Creates a filled program.
    ///
    /// - Parameters:
    ///   - values: The values of the first slots.
    ///   - tools: The tools of its steps.
    ///   - error: Creates an error of the method.
    package init(
        _ program: MethodProgram, values: [ProgramValue], tools: ProgramTools, error: @escaping MakesError
    ) {
        self.program = program
        self.values = program.slots.indices.map { $0 < values.count ? values[$0] : .absent }
        self.tools = tools
        self.error = error
    }

    /// Returns the program in the form that the runtime executes.
    func prepared(prompter: (any ProgramPrompting)? = nil) -> PreparedProgram {
        PreparedProgram(program, values: values, prompter: prompter, tools: tools, error: error)
    }

    /// The name of the program's credentials in a store, derived from its name and the parameters that identify a credential.
    package var storeName: String { prepared().storeName }

    /// The names of the header fields in which requests carry the credential. None if the server names one of them, which is known
    /// only with the credential.
    package var fieldNames: Set<HTTPField.Name> { fieldNames(of: program.attach) }

    /// Returns those of ``fieldNames`` in which requests with an HTTP method carry the credential.
    package func fieldNames(ofRequestsBy method: HTTPRequest.Method) -> Set<HTTPField.Name> {
        fieldNames(of: program.attach.filter { $0.requestMethods?.contains(method) ?? true })
    }

    private func fieldNames(of placements: [CredentialPlacement]) -> Set<HTTPField.Name> {
        guard !placements.contains(where: { $0.isNamedByCredential(values) }) else { return [] }
        var names = Set(placements.flatMap { $0.fieldNames(values) })
        if program.credential.cookies != nil || program.credential.isSessionCookies { names.insert(.cookie) }
        return names
    }

    /// Returns an authenticator whose credential is the session's cookies.
    ///
    /// - Parameter presenter: The presenter of login pages; `nil` uses the session's.
    package func authenticator(presenter: (any WebPresenter)? = nil) -> ProgramAuthenticator {
        ProgramAuthenticator(program, values: values, presenter: presenter, tools: tools, error: error)
    }
}
