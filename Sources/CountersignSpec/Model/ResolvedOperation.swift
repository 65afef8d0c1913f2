/// An operation of a landscape outside of any challenge, such as a logout.
public struct ResolvedOperation: Sendable {
    public var name: Located<String>
    /// The prefix of the generated types' names, such as `Logout`.
    public var stem: String
    public var documentation: Documentation
    /// The local state that the operation ends, even if the server could not be reached.
    public var ends: End
    /// The parameters that the application gives in addition to the landscape's settings; `nil` if there are none.
    public var parameters: [ResolvedField]?
    /// Whether the application gives the landscape's settings.
    public var usesSettings: Bool
    /// The values that the steps determine, in the order of the file; empty if there are none.
    public var results: [ResultField]
    /// The versions in the order of the file, at least one. The first is the default.
    public var versions: [Version]

    /// A generated type of an operation, by the end of its name: `LogoutVersion`.
    public enum GeneratedType: String, Sendable, Hashable, CaseIterable {
        case version = "Version"
        case parameters = "Parameters"
        case results = "Results"
    }

    /// A version of an operation, whose steps can refer to the settings and the parameters.
    public struct Version: Sendable {
        public var name: Located<String>
        /// The steps, as ``ResolvedProgram/acquire`` of a program without challenges and without a credential.
        public var program: ResolvedProgram
        /// The slots of the results, in their order.
        public var results: [Int]
    }

    /// A value that the steps determine for the application.
    public struct ResultField: Sendable {
        public var name: Located<String>
        public var type: ResultType
        public var documentation: Documentation
        public var isOptional: Bool
    }

    /// The types a result can have.
    public enum ResultType: String, Sendable, Hashable, CaseIterable {
        case string, secret, url, boolean, texts, date, duration
    }

    /// The local state that an operation ends.
    public enum End: String, Sendable, Hashable, CaseIterable {
        case nothing
        case userSession = "user-session"
    }
}

extension ResolvedOperation {
    /// The name of a generated type.
    package func typeName(_ type: GeneratedType) -> String { stem + type.rawValue }

    /// Returns the default prefix of the generated types' names, for an operation whose spec specifies none.
    static func stem(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
