internal import Countersign
internal import Foundation

/// The required form of a known key's value. Without this check, an invalid value would be ignored or converted.
enum DiscoveryShape {
    /// A text of one line, a number or a Boolean value; it may be empty.
    case text
    /// Like ``text``, but not empty.
    case name
    /// A text with a host name, whose syntax ``ServerAddress`` checks.
    case host
    /// A number, or a text with a number.
    case number
    /// An absolute `http` or `https` URL, or a path at the server. For keys that end in `redirectURL`, also a URL with a
    /// private-use scheme.
    case address
    /// A dictionary of texts.
    case textsByName

    /// Checks that a value has this form.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - place: The key path in the source.
    ///   - source: The name of the configuration in errors.
    /// - Throws: `ConfigurationError.invalidStructure(detail:source:)`, which does not quote the value.
    func check(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        if case .address = self { return try Self.checkAddress(node, place: place, source: source) }
        guard let problem = problem(of: node) else { return }
        throw .invalidStructure(detail: "'\(place)' \(problem)", source: source)
    }

    private func problem(of node: ConfigurationNode) -> String? {
        switch self {
        case .text: Self.lineProblem(of: node)
        case .name: node.text?.isEmpty == true ? "is empty" : Self.lineProblem(of: node)
        case .host: if case .text = node { nil } else { "is not a string" }
        case .number: node.text == nil ? "is neither a string nor a number" : nil
        case .textsByName: Self.isDictionaryOfTexts(node) ? nil : "is not a dictionary of strings"
        case .address: nil
        }
    }

    private static func isDictionaryOfTexts(_ node: ConfigurationNode) -> Bool {
        guard case .dictionary(let entries) = node else { return false }
        return entries.values.allSatisfy { $0.text != nil }
    }

    private static func lineProblem(of node: ConfigurationNode) -> String? {
        guard let text = node.text else { return "is not a string" }
        return text.unicodeScalars.contains { $0.properties.generalCategory == .control } ? "contains control characters" : nil
    }

    /// Checks a URL by the rules of its later use, with a placeholder server for paths.
    private static func checkAddress(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        guard case .text(let text) = node else { throw .invalidStructure(detail: "'\(place)' is not a string", source: source) }
        _ = try ConfigurationValues([place: text], source: source, baseURL: URL(string: "https://server.invalid")).url([place])
    }
}
