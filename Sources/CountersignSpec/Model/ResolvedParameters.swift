/// A parameter struct.
package struct ResolvedParameters: Sendable {
    package var name: Located<String>
    package var documentation: Documentation
    package var fields: [ResolvedField]
    /// The templates by which the struct is created from the landscape's settings: one for each field that does not keep its
    /// default.
    package var fromSettings: [(field: Located<String>, template: ResolvedTemplate)]?
    /// The keys of configuration files, by field. The first key that is present is used.
    package var configuration: [(field: Located<String>, keys: [String])]
    /// The fields that the initialiser from the settings takes as arguments.
    package var besideSettings: [Located<String>] = []
    /// The initialisers; empty for a single one with all fields.
    package var initialisers: [ResolvedInitialiser] = []
}

extension ResolvedParameters {
    /// Makes a struct with fields only.
    package init(name: Located<String>, documentation: Documentation, fields: [ResolvedField]) {
        self.init(name: name, documentation: documentation, fields: fields, fromSettings: nil, configuration: [])
    }
}

/// A field of a parameter struct.
package struct ResolvedField: Sendable {
    package var name: Located<String>
    package var type: FieldType
    package var documentation: Documentation
    package var isOptional: Bool
    /// The default as text, checked against the type.
    package var defaultText: Located<String>?
    /// A value for documentation and the mock landscape, checked against the type.
    package var example: Located<String>?
    /// The values of the type `choice`, in the order of the file; empty for other types.
    package var choices: [ResolvedChoice] = []
    /// Whether a stored credential is found only with the same value.
    package var identifies = true
}

/// An initialiser with some of the fields.
package struct ResolvedInitialiser: Sendable {
    package var location: SourceLocation
    /// The fields in the order of the initialiser's parameters.
    package var fields: [Located<String>]
    /// The error for an empty text.
    package var emptyText: Located<String>?
}
