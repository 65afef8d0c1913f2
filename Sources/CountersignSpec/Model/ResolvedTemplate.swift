/// Text with `{references}`, parsed.
public struct ResolvedTemplate: Sendable, Hashable {
    /// The text as written.
    public var text: String
    public var location: SourceLocation
    public var pieces: [Piece]

    public enum Piece: Sendable, Hashable {
        case text(String)
        /// `{name}`: a field of the method's parameters.
        case parameter(String, FieldType)
        /// `{settings.name}`: a field of the landscape's settings.
        case settings(String, FieldType)
    }
}
