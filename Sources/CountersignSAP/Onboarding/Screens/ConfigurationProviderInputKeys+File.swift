package import Countersign
package import Foundation

extension ConfigurationProviderInputKeys {
    /// Returns the content of a file as input for the built-in providers: a link, JSON, or a property list, which is converted to
    /// JSON.
    ///
    /// - Parameters:
    ///   - content: The content, at most 1 MiB.
    ///   - source: The name of the file in errors.
    /// - Throws: `ConfigurationError`, which quotes nothing of the content.
    package static func inputs(
        fromContent content: Data, named source: String
    ) throws(ConfigurationError) -> [String: String] {
        if content.count <= ConfigurationText.maximumSize, let text = String(data: content, encoding: .utf8) {
            let link = inputs(from: text.trimmingCharacters(in: .whitespacesAndNewlines))
            // An XML property list may contain `config=` as well, but it is recognized by `<`.
            if link[URLstring.rawValue] != nil, !text.contains("<") { return link }
        }
        let node = try ConfigurationText.read(content, source: source)
        guard let json = try? JSONSerialization.data(withJSONObject: node.foundationValue) else {
            throw .invalidStructure(detail: "there is a value that a configuration cannot have", source: source)
        }
        return [JSONstring.rawValue: String(decoding: json, as: UTF8.self)]
    }
}
