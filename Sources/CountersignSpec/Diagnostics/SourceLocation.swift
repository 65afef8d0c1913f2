/// A place in a spec: every value of the model keeps the one that it was written at.
public struct SourceLocation: Sendable, Hashable, Comparable {
    /// The file as the command line named it.
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in Unicode scalars.
    public let column: Int

    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

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

/// A value and where it was written.
public struct Located<Value: Sendable>: Sendable {
    public var value: Value
    public var location: SourceLocation

    public init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

extension Located<String> {
    /// The characters to underline: as many as the text has, which is what a name without quotes takes in the file.
    var span: SourceSpan { SourceSpan(location: location, length: value.unicodeScalars.count) }
}
