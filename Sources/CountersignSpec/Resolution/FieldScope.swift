/// The fields that references can name.
struct FieldScope: Sendable {
    /// A declared field, as far as it could be read.
    struct Field: Sendable {
        let name: Located<String>
        /// The type; `nil` if it is unknown, which has been reported.
        let type: FieldType?
        let isOptional: Bool
        let hasDefault: Bool
        let allowsHTTP: Bool
        /// The values of the type `choice`; empty for other types.
        let choices: [ResolvedChoice]
    }

    let fields: [Field]

    /// The field of a name.
    subscript(_ name: String) -> Field? { fields.first { $0.name.value == name } }

    /// The declared names, for suggestions.
    var names: [String] { fields.map(\.name.value) }
}
