/// A call of a landscape outside of any challenge, such as a logout.
public struct ResolvedOperation: Sendable {
    public var name: Located<String>
    /// What the names of the generated types begin with, such as `Logout`.
    public var stem: String
    public var documentation: Documentation
    /// What ends here once it was asked for.
    public var ends: End
    /// What the application gives beside the landscape's settings; `nil` if that is nothing.
    public var parameters: [ResolvedField]?
    /// Whether the application gives the landscape's settings.
    public var usesSettings: Bool
    /// What the steps find out, in the order of the file; empty if that is nothing.
    public var results: [ResultField]
    /// In the order of the file; at least one, and the first is the usual one.
    public var versions: [Version]

    /// A generated type of an operation, by the end of its name: `LogoutVersion`.
    public enum GeneratedType: String, Sendable, Hashable, CaseIterable {
        case version = "Version"
        case parameters = "Parameters"
        case results = "Results"
    }

    /// Steps that know the settings and the parameters.
    public struct Version: Sendable {
        public var name: Located<String>
        /// What is done, as ``ResolvedProgram/acquire``: a program without a challenge and without a credential.
        public var program: ResolvedProgram
        /// The slots of the results, in their order.
        public var results: [Int]
    }

    /// A value that the steps find out for the application.
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

    /// What ends on this side.
    public enum End: String, Sendable, Hashable, CaseIterable {
        case nothing
        case userSession = "user-session"
    }
}

extension ResolvedOperation {
    /// The name of a generated type.
    package func typeName(_ type: GeneratedType) -> String { stem + type.rawValue }

    /// What the names of the types begin with that are generated for an operation which names nothing else.
    static func stem(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
