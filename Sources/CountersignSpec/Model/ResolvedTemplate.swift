/// Text with `{references}`, parsed.
package struct ResolvedTemplate: Sendable, Hashable {
    /// The text as written.
    package var text: String
    package var location: SourceLocation
    package var pieces: [Piece]

    package enum Piece: Sendable, Hashable {
        case text(String)
        /// `{name}`: a field of the method's parameters.
        case parameter(String, FieldType)
        /// `{settings.name}`: a field of the landscape's settings.
        case settings(String, FieldType)
    }
}
