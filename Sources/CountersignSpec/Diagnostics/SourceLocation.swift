/// A place in a spec. Every value of the model keeps the place at which it was written.
package struct SourceLocation: Sendable, Hashable, Comparable {
    /// The file as the command line named it.
    package let file: String
    /// The line, counted from 1.
    package let line: Int
    /// The column in Unicode scalars, counted from 1.
    package let column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

/// A location, and the length of the text to underline on its line.
package struct SourceSpan: Sendable, Hashable {
    package let location: SourceLocation
    /// The length in Unicode scalars, within one line.
    let length: Int

    /// Whether the span contains a location.
    func contains(_ place: SourceLocation) -> Bool {
        place.file == location.file && place.line == location.line
            && (location.column..<location.column + max(1, length)).contains(place.column)
    }
}

/// A value and the location at which it was written.
package struct Located<Value: Sendable>: Sendable {
    package var value: Value
    package var location: SourceLocation

    package init(_ value: Value, at location: SourceLocation) {
        self.value = value
        self.location = location
    }
}

extension Located: Equatable where Value: Equatable {}
extension Located: Hashable where Value: Hashable {}

extension Located<String> {
    /// The characters to underline: as many as the text has, which is correct for a name without quotes.
    var span: SourceSpan { SourceSpan(location: location, length: value.unicodeScalars.count) }
}
