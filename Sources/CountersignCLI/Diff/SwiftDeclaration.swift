// A public declaration of generated code, as far as the source of an application depends on it.

/// A declaration of generated Swift code that applications can use.
struct SwiftDeclaration: Hashable {
    enum Kind: String {
        case type, function, initialiser, property, alias, enumerationCase, conformance, module
    }

    /// The type that contains the declaration; empty at file level.
    let context: String
    let kind: Kind
    /// The base name, such as `authenticate`.
    let name: String
    /// The declaration on one line, without its body.
    let text: String
    /// Whether types that conform to the containing protocol must have it.
    let isRequirement: Bool
    /// Whether the declaration itself is marked `public` or `open`.
    let isMarked: Bool

    /// The name in reports, such as `LibraryParameters.init`.
    var title: String {
        switch kind {
        case .conformance: "\(context): \(name)"
        case .module: "import \(name)"
        default: context.isEmpty ? name : "\(context).\(name)"
        }
    }
}
