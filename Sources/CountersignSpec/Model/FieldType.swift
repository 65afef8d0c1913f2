/// The types a field can have.
package enum FieldType: String, Sendable, Hashable, CaseIterable {
    case url, string, header, secret, boolean, scopes, texts
    /// One of a closed set of texts.
    case choice
    /// The origins that may receive a credential.
    case origins
    /// A function of the application that changes a request before it is sent.
    case requestHandler = "request-handler"

    /// The types that a method parameter or a setting can have.
    package static let ofParameters: [FieldType] = [
        .string, .secret, .url, .header, .origins, .boolean, .choice, .scopes, .texts, .requestHandler,
    ]

    /// The types that a parameter of an operation can have.
    package static let ofOperations = ofParameters.filter { $0 != .requestHandler }
}
