/// A call of a landscape outside of any challenge, such as a logout.
public struct ResolvedOperation: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    /// What ends here once it was asked for.
    public var ends: End
    /// In the order of the file; at least one, and the first is the usual one.
    public var versions: [Version]

    /// The name of the generated type with the versions of an operation: `LogoutVersion`.
    public static func versionType(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() + "Version" }

    /// Steps that know the settings.
    public struct Version: Sendable {
        public var name: Located<String>
        /// What is done, as ``ResolvedProgram/acquire``: a program without a challenge and without a credential.
        public var program: ResolvedProgram
    }

    /// What ends on this side.
    public enum End: String, Sendable, Hashable, CaseIterable {
        case nothing
        case userSession = "user-session"
    }
}
