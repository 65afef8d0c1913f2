/// A landscape after reading, inheritance and checking: the one semantic model that every reader of a spec uses.
public struct ResolvedLandscape: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    /// The prefix of logger labels.
    public var loggingPrefix: String
    /// Modules that the generated module re-exports.
    public var imports: [Located<String>]
    /// The names under which generated code uses the surface's types.
    public var names: SurfaceNames
    /// Protocols that generated types conform to beyond the runtime's.
    public var conformances: Conformances
    /// The settings that all methods share; `nil` if the landscape declares none.
    public var settings: ResolvedParameters?
    /// The `url` field of the settings that is the server's address.
    public var serverField: String?
    /// The file stems of inherited methods that the landscape omits.
    public var omittedStems: [String]
    /// Operations outside of any challenge, in the order of the file.
    public var operations: [ResolvedOperation] = []
    /// Whether the observers are those of `FoundationSession`. Otherwise they are those of `Session`, and of the properties above
    /// only the name, documentation and operations are set.
    public var hasFoundationSurface = true
    /// The methods with observers of `Session`, in the order of the file names.
    public var programs: [ResolvedProgram] = []
    /// The methods with observers of `FoundationSession`, in the order of the file names.
    public var programMethods: [ResolvedSurfaceMethod] = []
    /// The groups of methods that one response may challenge intentionally.
    public var overlaps: [[String]] = []
    /// The command that runs a mock of its servers.
    public var mockCommand: String?

    public struct SurfaceNames: Sendable, Hashable {
        public var session = "FoundationSession"
        /// The labels of initialisers that take a session; at least one.
        public var sessionLabels = ["session"]
        public var task = "FoundationSessionTask"
        public var observing = "FoundationSessionObserving"
        public init() {}
    }

    public struct Conformances: Sendable, Hashable {
        public var errors: [String] = []
        public var parameters: [String] = []
        /// Protocols of the authenticators whose pages another application can continue.
        public var callbacks: [String] = []
        public init() {}
    }
}
