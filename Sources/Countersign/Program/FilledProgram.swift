/// A program with the values of its parameters, for one that no type of parameters has been generated for.
package struct FilledProgram: Sendable {
    /// Makes an error of the method's own; ``ProgramParameters/error(_:_:_:)``.
    package typealias MakesError = @Sendable (_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?

    package let program: MethodProgram
    /// The values of the slots; those without are absent.
    package let values: [ProgramValue]
    private let tools: ProgramTools
    private let error: MakesError

    /// Fills a program.
    ///
    /// - Parameters:
    ///   - values: Those of the first slots.
    ///   - tools: What its steps need.
    ///   - error: Makes an error of the method's own.
    package init(
        _ program: MethodProgram, values: [ProgramValue], tools: ProgramTools, error: @escaping MakesError
    ) {
        self.program = program
        self.values = program.slots.indices.map { $0 < values.count ? values[$0] : .absent }
        self.tools = tools
        self.error = error
    }

    /// The program as it is run.
    func prepared(prompter: (any ProgramPrompting)? = nil) -> PreparedProgram {
        PreparedProgram(program, values: values, prompter: prompter, tools: tools, error: error)
    }

    /// What tells the credentials of the program from those of others in a store: its name, and all values but secrets.
    package var storeName: String { prepared().storeName }

    /// Authenticates so that the credential is in the session's own cookies.
    ///
    /// - Parameter presenter: Shows the pages; `nil` takes the session's own.
    package func authenticator(presenter: (any WebPresenter)? = nil) -> ProgramAuthenticator {
        ProgramAuthenticator(program, values: values, presenter: presenter, tools: tools, error: error)
    }
}
