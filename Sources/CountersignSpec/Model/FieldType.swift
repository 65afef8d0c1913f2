/// The types a field can have.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    case url, string, header, secret, boolean, integer, duration
}
