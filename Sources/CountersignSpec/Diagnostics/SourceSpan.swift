/// A place and how much of its line a caret line underlines.
struct SourceSpan: Sendable, Hashable {
    let location: SourceLocation
    /// In Unicode scalars, within one line.
    let length: Int

    /// Whether a place is one of the underlined ones.
    func contains(_ place: SourceLocation) -> Bool {
        place.file == location.file && place.line == location.line
            && (location.column..<location.column + max(1, length)).contains(place.column)
    }
}
