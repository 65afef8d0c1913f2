internal import Countersign
internal import Foundation

/// What the value of a known key has to be. One of another shape would be taken for one that is not there, or become something else.
enum DiscoveryShape {
    /// A text, a number or a truth value, on one line; it may be empty.
    case text
    /// The same with something in it.
    case name
    /// A text with the name of a host; what it may be made of, ``ServerAddress`` knows.
    case host
    /// A number, or a text that is one.
    case number
    /// An absolute `http` or `https` URL, or a path of the server; under a key that ends in `redirectURL` one with an application's own scheme.
    case address
    /// A dictionary of texts.
    case textsByName

    /// Compares a value with the shape.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - place: Where it stands, as the source spells it.
    ///   - source: What to call the configuration in an error.
    /// - Throws: `ConfigurationError.invalidStructure(detail:source:)`, which does not quote the value.
    func check(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        if case .address = self { return try Self.checkAddress(node, place: place, source: source) }
        guard let problem = problem(of: node) else { return }
        throw .invalidStructure(detail: "'\(place)' \(problem)", source: source)
    }

    private func problem(of node: ConfigurationNode) -> String? {
        switch self {
        case .text: Self.lineProblem(of: node)
        case .name: node.text?.isEmpty == true ? "has nothing in it" : Self.lineProblem(of: node)
        case .host: if case .text = node { nil } else { "is not a text" }
        case .number: node.text == nil ? "is neither a text nor a number" : nil
        case .textsByName: Self.isDictionaryOfTexts(node) ? nil : "is not a dictionary of texts"
        case .address: nil
        }
    }

    private static func isDictionaryOfTexts(_ node: ConfigurationNode) -> Bool {
        guard case .dictionary(let entries) = node else { return false }
        return entries.values.allSatisfy { $0.text != nil }
    }

    private static func lineProblem(of node: ConfigurationNode) -> String? {
        guard let text = node.text else { return "is not a text" }
        return text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "has control characters in it" : nil
    }

    /// The rule is that of whatever reads the address later, for which a path has a server.
    private static func checkAddress(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        guard case .text(let text) = node else { throw .invalidStructure(detail: "'\(place)' is not a text", source: source) }
        _ = try ConfigurationValues([place: text], source: source, baseURL: URL(string: "https://server.invalid")).url([place])
    }
}
