import HTTPTypes

extension HTTPField.Name {
    /// Creates the name of a header field that HTTPTypes does not list.
    ///
    /// - Parameter text: A constant of a mock, which is a valid name.
    init(constant text: String) {
        guard let name = HTTPField.Name(text) else { preconditionFailure("'\(text)' is not the name of a header field") }
        self = name
    }
}
