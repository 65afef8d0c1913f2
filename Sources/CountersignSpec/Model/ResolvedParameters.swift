/// A parameter struct.
public struct ResolvedParameters: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var fields: [ResolvedField]
    /// The templates by which the struct is created from the landscape's settings: one for each field that does not keep its
    /// default.
    public var fromSettings: [(field: Located<String>, template: ResolvedTemplate)]?
    /// The keys of configuration files, by field. The first key that is present is used.
    public var configuration: [(field: Located<String>, keys: [String])]
    /// The fields that the initialiser from the settings takes as arguments.
    public var besideSettings: [Located<String>] = []
    /// The initialisers; empty for a single one with all fields.
    public var initialisers: [ResolvedInitialiser] = []
}

extension ResolvedParameters {
    /// Makes a struct with fields only.
    package init(name: Located<String>, documentation: Documentation, fields: [ResolvedField]) {
        self.init(name: name, documentation: documentation, fields: fields, fromSettings: nil, configuration: [])
    }
}

/// A field of a parameter struct.
public struct ResolvedField: Sendable {
    public var name: Located<String>
    public var type: FieldType
    public var documentation: Documentation
    public var isOptional: Bool
    /// The default as text, checked against the type.
    public var defaultText: Located<String>?
    /// A value for documentation and the mock landscape, checked against the type.
    public var example: Located<String>?
    /// The values of the type `choice`, in the order of the file; empty for other types.
    public var choices: [ResolvedChoice] = []
}

/// An initialiser with some of the fields.
public struct ResolvedInitialiser: Sendable {
    public var location: SourceLocation
    /// The fields in the order of the initialiser's parameters.
    public var fields: [Located<String>]
    /// The error for an empty text.
    public var emptyText: Located<String>?
}
