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
    /// An absolute `http` or `https` URL, or a path of the server.
    case address
    /// An absolute `http` or `https` URL.
    case absoluteAddress
    /// Where a login page sends the browser: the same, or a URL with an application's own scheme.
    case redirect
    /// A list of texts, or one text.
    case texts
    /// A dictionary of texts.
    case textsByName

    /// Whether the value is an address that something is sent to. A redirect URL is where a login page sends the browser.
    var isAddress: Bool {
        switch self {
        case .address, .absoluteAddress: true
        default: false
        }
    }

    /// Compares a value with the shape.
    ///
    /// - Parameters:
    ///   - node: The value.
    ///   - place: Where it stands, as the source spells it.
    ///   - source: What to call the configuration in an error.
    /// - Throws: `ConfigurationError.invalidStructure(detail:source:)`, which does not quote the value.
    func check(_ node: ConfigurationNode, place: String, source: String) throws(ConfigurationError) {
        guard let problem = problem(of: node, place: place) else { return }
        throw .invalidStructure(detail: "'\(place)' \(problem)", source: source)
    }

    private func problem(of node: ConfigurationNode, place: String) -> String? {
        switch self {
        case .text: Self.lineProblem(of: node)
        case .name: node.text?.isEmpty == true ? "has nothing in it" : Self.lineProblem(of: node)
        case .host: if case .text = node { nil } else { "is not a text" }
        case .number: node.text == nil ? "is neither a text nor a number" : nil
        case .texts: node.joinedTexts == nil ? "is neither a text nor a list of texts" : nil
        case .textsByName: Self.isDictionaryOfTexts(node) ? nil : "is not a dictionary of texts"
        case .address, .absoluteAddress, .redirect: Self.addressProblem(of: node, place: place, shape: self)
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

    private static func addressProblem(of node: ConfigurationNode, place: String, shape: DiscoveryShape) -> String? {
        guard case .text(let text) = node else { return "is not a text" }
        // Foundation would encode them, and begin a path with what was meant for an address.
        let hasGaps = text.unicodeScalars.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
        guard !hasGaps, let url = URL(string: text) else { return shape.addressText }
        // Names and passwords in an address make it look like another, and would be sent along.
        guard url.user == nil, url.password == nil else { return "has a user's name in it" }
        switch shape {
        case .address where text.hasPrefix("/") && !text.hasPrefix("//"): return nil
        // The rule for redirects is that of the readers; it goes by how the key ends.
        case .redirect: return (try? ConfigurationValues([place: text], source: "").url([place])) == nil ? shape.addressText : nil
        default: return Origin(url) == nil ? shape.addressText : nil
        }
    }

    private var addressText: String {
        switch self {
        case .address: "is neither an absolute http or https URL nor a path that begins with a slash"
        case .redirect: "is neither an absolute http or https URL nor one of an application's own scheme"
        default: "is not an absolute http or https URL"
        }
    }
}
