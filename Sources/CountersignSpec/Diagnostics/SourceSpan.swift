/// A place and how much of its line a caret line underlines.
struct SourceSpan: Sendable, Hashable {
    let location: SourceLocation
    /// In Unicode scalars, within one line.
    let length: Int
}
