/// A parameter struct.
public struct ResolvedParameters: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var fields: [ResolvedField]
    /// How the struct is made from the landscape's settings: a template for each field that is not left to its default.
    public var fromSettings: [(field: Located<String>, template: ResolvedTemplate)]?
    /// Keys of configuration files, by field; the first that is there wins.
    public var configuration: [(field: Located<String>, keys: [String])]
    /// Fields that the initialiser from the settings asks for.
    public var besideSettings: [Located<String>] = []
    /// The initialisers; empty for one with all fields.
    public var initialisers: [ResolvedInitialiser] = []
}

extension ResolvedParameters {
    /// Makes a struct of fields alone.
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
}

/// An initialiser that asks for some of the fields.
public struct ResolvedInitialiser: Sendable {
    public var location: SourceLocation
    /// In the order of the initialiser.
    public var fields: [Located<String>]
    /// The error for a text that is empty.
    public var emptyText: Located<String>?
}
