/// A method whose observers are those of URL requests, under the names that its spec gives them in Swift.
public struct ResolvedSurfaceMethod: Sendable {
    /// What the runtime executes; of a method with grants, what they share.
    public var program: ResolvedProgram
    /// What is generated around it.
    public var kind: Kind
    /// What the method is run with; `nil` where a prompt brings the credential, or where grants have parameters of their own.
    public var parameters: ResolvedParameters?
    /// The ways to a token; none in a method without.
    public var grants: [ResolvedSurfaceGrant] = []
    public var mock = ResolvedMock()
    /// The labels of initialisers that take the parameters; empty for the usual one.
    public var labels: [Located<String>] = []
    /// Whether an authentication that is started explicitly logs its error where no completion handler is handed over.
    public var logsCompletion = false
    /// Whether it comes behind another method.
    public var isSecondFactor = false
    /// What answers the prompts, and what keeps the answers.
    public var prompting: Prompting?
    /// Modules that have what its spec names.
    public var imports: [Located<String>] = []
    /// The parameters that are properties of an enrolment's class.
    public var properties: [ResolvedField] = []

    /// What is generated around a method.
    public enum Kind: Sendable {
        /// Its login leaves its credential in the session's own cookies.
        case cookies
        /// Its credential is a token, to which grants lead.
        case token
        /// A prompt brings its credential.
        case prompted
        /// An enrolment: the application takes the credential.
        case application
    }

    /// The types by which an application answers prompts.
    public struct Prompting: Sendable {
        public var type, label: Located<String>
        public var summary: String
        /// A type of which one is made where the application gives none.
        public var standIn: Located<String>?
        /// What the runtime asks.
        public var source: Located<String>
        public var store: Store?
    }

    /// The type of what keeps answers.
    public struct Store: Sendable {
        public var type, label: Located<String>
        public var summary: String
    }
}

/// A way to a token, with parameters of its own.
public struct ResolvedSurfaceGrant: Sendable {
    public var name: Located<String>
    /// The method with this way to a token.
    public var program: ResolvedProgram
    public var parameters: ResolvedParameters
    /// The labels of initialisers that take the parameters; empty for one that follows from the struct's name.
    public var labels: [Located<String>] = []
    /// The grant that takes over after the first token.
    public var next: Located<String>?
    /// How long the grant can be run.
    public var life: Located<String>?

    /// The name of the generated type: `AuthorizationCode` for `authorization-code`.
    public static func typeName(of name: String) -> String {
        name.split(whereSeparator: { $0 == "-" || $0 == "_" }).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }
}

extension ResolvedSurfaceMethod {
    /// The name in the spec.
    public var name: Located<String> { program.name }

    /// All parameter structs, each once.
    public var structs: [ResolvedParameters] {
        var names: Set<String> = []
        let all = grants.isEmpty ? [parameters].compactMap(\.self) : grants.map(\.parameters)
        return all.filter { names.insert($0.name.value).inserted }
    }

    /// What the method shares, and each of its ways to a token.
    public var programs: [ResolvedProgram] { [program] + grants.map(\.program) }

    /// Whether another application can move a page of the method on.
    public var hasCallback: Bool { program.pages.contains { $0.callback != nil } }
}

extension ResolvedProgram {
    /// Where the steps to a token lead: their pages and requests. A page that takes the place of another in some web views does not count.
    public var addresses: [ResolvedTemplate] {
        steps.compactMap { step in
            switch step.action {
            case .present(let page): page.url
            case .http(let call): call.url
            case .token(let call): call.url
            case .prompt, .compute, .ask, .repeat, .document, .verify: nil
            }
        }.compactMap(template)
    }

    /// An address as it is made of parameters; `nil` for one that a server has named.
    private func template(_ address: Template) -> ResolvedTemplate? {
        guard let first = address.pieces.first else { return nil }
        switch first {
        case .text(let text): return ResolvedTemplate(text: text, location: name.location, pieces: [.text(text)])
        case .slot(let slot): return slots[slot].filling?.template
        case .requestOrigin, .request, .computed: return nil
        }
    }
}
