/// An operation of a landscape outside of any challenge, such as a logout.
package struct ResolvedOperation: Sendable {
    package var name: Located<String>
    /// The prefix of the generated types' names, such as `Logout`.
    package var stem: String
    package var documentation: Documentation
    /// The local state that the operation ends, even if the server could not be reached.
    package var ends: End
    /// The parameters that the application gives in addition to the landscape's settings; `nil` if there are none.
    package var parameters: [ResolvedField]?
    /// Whether the application gives the landscape's settings.
    package var usesSettings: Bool
    /// The values that the steps determine, in the order of the file; empty if there are none.
    package var results: [ResultField]
    /// The versions in the order of the file, at least one. The first is the default.
    package var versions: [Version]

    /// A generated type of an operation, by the end of its name: `LogoutVersion`.
    package enum GeneratedType: String, Sendable, Hashable, CaseIterable {
        case version = "Version"
        case parameters = "Parameters"
        case results = "Results"
    }

    /// A version of an operation, whose steps can refer to the settings and the parameters.
    package struct Version: Sendable {
        package var name: Located<String>
        /// The steps, as ``ResolvedProgram/acquire`` of a program without challenges and without a credential.
        package var program: ResolvedProgram
        /// The slots of the results, in their order.
        package var results: [Int]
    }

    /// A value that the steps determine for the application.
    package struct ResultField: Sendable {
        package var name: Located<String>
        package var type: ResultType
        package var documentation: Documentation
        package var isOptional: Bool
    }

    /// The types a result can have.
    package enum ResultType: String, Sendable, Hashable, CaseIterable {
        case string, secret, url, boolean, texts, date, duration
    }

    /// The local state that an operation ends.
    package enum End: String, Sendable, Hashable, CaseIterable {
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
