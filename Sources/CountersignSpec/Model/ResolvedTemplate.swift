/// Text with `{references}`, parsed.
public struct ResolvedTemplate: Sendable, Hashable {
    /// As written.
    public var text: String
    public var location: SourceLocation
    public var pieces: [Piece]

    public enum Piece: Sendable, Hashable {
        case text(String)
        /// `{name}`: a field of the method's parameters.
        case parameter(String, FieldType)
        /// `{settings.name}`: a field of the landscape's settings.
        case settings(String, FieldType)
        /// What an earlier step made or brought.
        case slot(FlowSlot)
    }
}

/// A value that is sent or expected under a name.
public typealias NamedTemplate = (name: Located<String>, value: ResolvedTemplate)

extension ResolvedTemplate.Piece {
    /// Whether what it stands for is redacted wherever it could be seen.
    var isSecret: Bool {
        switch self {
        case .text: false
        case .parameter(_, let type), .settings(_, let type): type == .secret
        case .slot(let slot): slot.type == .secret
        }
    }
}
