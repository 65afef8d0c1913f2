/// A method with observers of URL requests, with the names that its spec specifies for Swift.
package struct ResolvedSurfaceMethod: Sendable {
    /// The program that the runtime executes. For a method with grants, it is the part that they share.
    package var program: ResolvedProgram
    /// The kind of generated code.
    package var kind: Kind
    /// The parameters of the method; `nil` if a prompt provides the credential, or if grants have their own parameters.
    package var parameters: ResolvedParameters?
    /// The ways to a token; empty for a method without grants.
    package var grants: [ResolvedSurfaceGrant] = []
    package var mock = ResolvedMock()
    /// The labels of initialisers that take the parameters; empty for the default label.
    package var labels: [Located<String>] = []
    /// Whether an authentication that is started explicitly without a completion handler logs its error.
    package var logsCompletion = false
    /// Whether the method follows another method.
    package var isSecondFactor = false
    /// The types that answer the prompts and store the answers.
    package var prompting: Prompting?
    /// The modules of the types that the spec names.
    package var imports: [Located<String>] = []
    /// The parameters that are properties of an enrolment's class.
    package var properties: [ResolvedField] = []

    /// The kind of code that is generated for a method.
    package enum Kind: Sendable {
        /// Its login leaves its credential in the session's own cookies.
        case cookies
        /// Its credential is a token, to which grants lead.
        case token
        /// A prompt provides its credential.
        case prompted
        /// An enrolment: the application receives the credential.
        case application
    }

    /// The types by which an application answers prompts.
    package struct Prompting: Sendable {
        package var type, label: Located<String>
        package var summary: String
        /// The type of the default instance, if the application need not give one.
        package var standIn: Located<String>?
        /// The type that the runtime asks.
        package var source: Located<String>
        package var store: Store?
    }

    /// The type that stores the answers.
    package struct Store: Sendable {
        package var type, label: Located<String>
        package var summary: String
    }
}

/// A way to a token, with its own parameters.
package struct ResolvedSurfaceGrant: Sendable {
    package var name: Located<String>
    /// The program of the method with this way to a token.
    package var program: ResolvedProgram
    package var parameters: ResolvedParameters
    /// The labels of initialisers that take the parameters; empty for the label that follows from the struct's name.
    package var labels: [Located<String>] = []
    /// The grant that takes over after the first token.
    package var next: Located<String>?
    /// The time after the creation of its authenticator in which the grant can run.
    package var life: Located<String>?

    /// The name of the generated type: `AuthorizationCode` for `authorization-code`.
    package static func typeName(of name: String) -> String {
        name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension ResolvedSurfaceMethod {
    /// The name in the spec.
    package var name: Located<String> { program.name }

    /// All parameter structs, each once.
    package var structs: [ResolvedParameters] {
        var names: Set<String> = []
        let all = grants.isEmpty ? [parameters].compactMap(\.self) : grants.map(\.parameters)
        return all.filter { names.insert($0.name.value).inserted }
    }

    /// The shared program, and that of each way to a token.
    package var programs: [ResolvedProgram] { [program] + grants.map(\.program) }

    /// Whether another application can continue a page of the method.
    package var hasCallback: Bool { program.pages.contains { $0.callback != nil } }
}

extension ResolvedProgram {
    /// The addresses of the pages and requests in the steps. Pages that replace another one in some web views are excluded.
    package var addresses: [ResolvedTemplate] { requestURLs.compactMap(template) }

    /// The URLs of the pages and requests in the steps, whose servers receive the credential with `for: [steps]`.
    var requestURLs: [Template] {
        steps.compactMap { step in
            switch step.action {
            case .present(let page): page.url
            case .http(let call): call.url
            case .token(let call): call.url
            case .prompt, .compute, .ask, .repeat, .document, .verify: nil
            }
        }
    }

    /// Returns the template of an address that is made of parameters; `nil` for an address that a server has named.
    private func template(_ address: Template) -> ResolvedTemplate? {
        guard let first = address.pieces.first else { return nil }
        switch first {
        case .text(let text): return ResolvedTemplate(text: text, location: name.location, pieces: [.text(text)])
        case .slot(let slot): return slots[slot].filling?.template
        case .requestOrigin, .request, .computed: return nil
        }
    }
}
