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
    /// What all methods share; `nil` if the landscape declares none.
    public var settings: ResolvedParameters?
    /// The `url` field of the settings that is the server's address.
    public var serverField: String?
    /// The stems of methods that an inheriting landscape leaves out.
    public var omittedStems: [String]
    /// Calls outside of any challenge, in the order of the file.
    public var operations: [ResolvedOperation] = []
    /// Whether observers are those of `FoundationSession`; otherwise they are those of `Session`, and there is nothing of what is above but the
    /// name, documentation and operations.
    public var hasFoundationSurface = true
    /// The methods with observers of `Session`, in the order of the file names.
    public var programs: [ResolvedProgram] = []
    /// The methods with observers of `FoundationSession`, in the order of the file names.
    public var programMethods: [ResolvedSurfaceMethod] = []
    /// The groups of methods that one response can challenge by intention.
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
        /// Of the authenticators whose pages another application can move on.
        public var callbacks: [String] = []
        public init() {}
    }
}
