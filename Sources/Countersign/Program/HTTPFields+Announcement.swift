internal import HTTPTypes

extension HTTPCall.Member {
    /// The member as a header field; `nil` if a value is absent, or is none that a field can have.
    func field(_ values: [ProgramValue]) -> HTTPField? {
        guard let name = name.text(values).flatMap({ HTTPField.Name($0) }), !name.isOfConnection, let value = value.text(values),
            HTTPField.isValidValue(value)
        else { return nil }
        return HTTPField(name: name, value: value)
    }
}

extension HTTPFields {
    /// Adds what a client can do to a field that is a list, behind what is in it (RFC 9110, section 5.3).
    mutating func announce(_ field: HTTPField) {
        // The caller, or another observer, may have said the same.
        guard self[field.name]?.contains(field.value) != true else { return }
        // Without the field anything is accepted (RFC 9110, section 12.5.1).
        let own = self[field.name] ?? (field.name == .accept ? "*/*" : nil)
        self[field.name] = own.map { "\($0), \(field.value)" } ?? field.value
    }
}
