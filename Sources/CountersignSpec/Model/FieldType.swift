/// The types a field can have.
public enum FieldType: String, Sendable, Hashable, CaseIterable {
    case url, string, header, secret, boolean, integer, duration, scopes, texts
    /// The origins that may receive a credential.
    case origins
    /// A function of the application that changes a request before it is sent.
    case requestHandler = "request-handler"

    /// Those of a version of the language.
    package static func all(in version: SpecLanguage.Version) -> [FieldType] {
        switch version {
        case .one: allCases.filter { $0 != .origins }
        case .two: [.string, .secret, .url, .header, .origins, .boolean, .scopes, .requestHandler]
        }
    }
}
