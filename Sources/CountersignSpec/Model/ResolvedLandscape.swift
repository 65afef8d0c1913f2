/// A landscape after reading, inheritance and checking: the one semantic model that every reader of a spec uses.
package struct ResolvedLandscape: Sendable {
    package var name: Located<String>
    package var documentation: Documentation
    /// The prefix of logger labels.
    package var loggingPrefix: String
    /// Modules that the generated module re-exports.
    package var imports: [Located<String>]
    /// The names under which generated code uses the surface's types.
    package var names: SurfaceNames
    /// Protocols that generated types conform to beyond the runtime's.
    package var conformances: Conformances
    /// The settings that all methods share; `nil` if the landscape declares none.
    package var settings: ResolvedParameters?
    /// The `url` field of the settings that is the server's address.
    package var serverField: String?
    /// The file stems of inherited methods that the landscape omits.
    package var omittedStems: [String]
    /// Operations outside of any challenge, in the order of the file.
    package var operations: [ResolvedOperation] = []
    /// Whether the observers are those of `FoundationSession`. Otherwise they are those of `Session`, and of the properties above
    /// only the name, documentation and operations are set.
    package var hasFoundationSurface = true
    /// The methods with observers of `Session`, in the order of the file names.
    package var programs: [ResolvedProgram] = []
    /// The methods with observers of `FoundationSession`, in the order of the file names.
    package var programMethods: [ResolvedSurfaceMethod] = []
    /// The groups of methods that one response may challenge intentionally.
    package var overlaps: [[String]] = []
    /// The command that runs a mock of its servers.
    package var mockCommand: String?

    package struct SurfaceNames: Sendable, Hashable {
        package var session = "FoundationSession"
        /// The labels of initialisers that take a session; at least one.
        package var sessionLabels = ["session"]
        package var observing = "FoundationSessionObserving"
        package init() {}
    }

    package struct Conformances: Sendable, Hashable {
        package var errors: [String] = []
        package var parameters: [String] = []
        /// Protocols of the authenticators whose pages another application can continue.
        package var callbacks: [String] = []
        package init() {}
    }
}
