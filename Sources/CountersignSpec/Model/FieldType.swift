/// The types a field can have.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    case url, string, header, secret, boolean, integer, duration, scopes, texts
    /// A function of the application that changes a request before it is sent.
    case requestHandler = "request-handler"
}
