public import Countersign
internal import Foundation

extension ConfigurationValues {
    /// Reads a configuration of SAP Mobile Services: `host`, `protocol`, `port`, and under `auth` a list of methods, each with its `config`.
    ///
    /// - Parameters:
    ///   - config: A dictionary with texts as keys.
    ///   - source: What to call it in an error.
    /// - Throws: ``Countersign/ConfigurationError/invalidStructure(detail:source:)``.
    public init(discoveryServiceConfig config: Any, source: String = "the configuration") throws(ConfigurationError) {
        guard let root = config as? [String: Any] else {
            throw .invalidStructure(detail: "the top is not a dictionary", source: source)
        }
        var values = Self.texts(of: root)
        if let methods = root["auth"] {
            guard let methods = methods as? [[String: Any]] else {
                throw .invalidStructure(detail: "'auth' is not a list of dictionaries", source: source)
            }
            for method in methods {
                guard let settings = method["config"] else { continue }
                guard let settings = settings as? [String: Any] else {
                    throw .invalidStructure(detail: "a 'config' in 'auth' is not a dictionary", source: source)
                }
                // What comes first counts, as with the keys of a field.
                values.merge(Self.texts(of: settings)) { first, _ in first }
            }
        }
        self.init(values, source: source, baseURL: try Self.baseURL(of: values, source: source))
    }

    private static func texts(of dictionary: [String: Any]) -> [String: String] {
        dictionary.compactMapValues { value in
            if let text = value as? String { return text }
            if let number = value as? Int { return String(number) }
            return nil
        }
    }

    private static func baseURL(of values: [String: String], source: String) throws(ConfigurationError) -> URL? {
        guard let host = values["host"] else { return nil }
        var components = URLComponents()
        components.scheme = values["protocol"] ?? "https"
        components.host = host
        if let text = values["port"] {
            guard let port = Int(text), (1...65535).contains(port) else {
                throw .invalidStructure(detail: "'port' is not a number from 1 to 65535", source: source)
            }
            components.port = port
        }
        guard let url = components.url, Origin(url) != nil else {
            throw .invalidStructure(detail: "'host' and 'protocol' make no http or https address", source: source)
        }
        return url
    }
}
