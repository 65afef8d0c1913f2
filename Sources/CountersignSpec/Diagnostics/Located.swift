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
