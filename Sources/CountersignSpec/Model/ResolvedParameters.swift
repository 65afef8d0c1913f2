/// A parameter struct.
public struct ResolvedParameters: Sendable {
    public var name: Located<String>
    public var documentation: Documentation
    public var fields: [ResolvedField]
    /// How the struct is made from the landscape's settings: a template for each field that is not left to its default.
    public var fromSettings: [(field: Located<String>, template: ResolvedTemplate)]?
    /// Keys of configuration files, by field; the first that is there wins.
    public var configuration: [(field: Located<String>, keys: [String])]
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
