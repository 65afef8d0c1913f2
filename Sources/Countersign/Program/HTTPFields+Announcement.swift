internal import HTTPTypes

extension HTTPCall.Member {
    /// Returns the member as a header field; `nil` if a value is absent or invalid in a header field.
    func field(_ values: [ProgramValue]) -> HTTPField? {
        guard let name = name.text(values).flatMap({ HTTPField.Name($0) }), !name.isOfConnection, let value = value.text(values),
            HTTPField.isValidValue(value)
        else { return nil }
        return HTTPField(name: name, value: value)
    }
}

extension HTTPFields {
    /// Appends the client's capabilities to a list-based field (RFC 9110, section 5.3).
    mutating func announce(_ field: HTTPField) {
        // The caller or another observer may have added the same value.
        guard self[field.name]?.contains(field.value) != true else { return }
        // A request without `Accept` accepts every media type (RFC 9110, section 12.5.1), which must stay so.
        let own = self[field.name] ?? (field.name == .accept ? "*/*" : nil)
        self[field.name] = own.map { "\($0), \(field.value)" } ?? field.value
    }
}
