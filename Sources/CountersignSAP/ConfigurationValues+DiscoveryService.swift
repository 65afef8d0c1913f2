public import Countersign
internal import Foundation

extension ConfigurationValues {
    /// Reads a configuration of SAP Mobile Services: `host`, `protocol`, `port`, and under `auth` a list of methods, each with its
    /// `config`.
    ///
    /// Texts, numbers and truth values are read; what is nested deeper belongs to readers of its own.
    ///
    /// - Parameters:
    ///   - config: A dictionary with texts as keys, as a property list or JSON has it.
    ///   - source: What to call it in an error.
    /// - Throws: `ConfigurationError.invalidStructure(detail:source:)`.
    public init(discoveryServiceConfig config: Any, source: String = "the configuration") throws(ConfigurationError) {
        guard let root = config as? [String: Any] else {
            throw .invalidStructure(detail: "the top is not a dictionary", source: source)
        }
        var values = Self.texts(of: root)
        for key in ["host", "protocol", "port"] where root[key] != nil && values[key] == nil {
            throw .invalidStructure(detail: "'\(key)' is neither a text nor a number", source: source)
        }
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
            guard let number = value as? NSNumber else { return nil }
            return number.isTruthValue ? String(number.boolValue) : number.stringValue
        }
    }

    private static func baseURL(of values: [String: String], source: String) throws(ConfigurationError) -> URL? {
        guard let host = values["host"] else { return nil }
        // A name or an address alone: what has more in it would become another URL than its author meant.
        guard !host.isEmpty, !host.contains(where: { "/?#@\\% \t\r\n".contains($0) }) else {
            throw .invalidStructure(detail: "'host' is not the name of a host", source: source)
        }
        // Foundation stops the program for a scheme that is none, so it is looked at before.
        let scheme = values["protocol"]?.lowercased() ?? "https"
        guard scheme == "http" || scheme == "https" else {
            throw .invalidStructure(detail: "'protocol' is neither http nor https", source: source)
        }
        var components = URLComponents()
        components.scheme = scheme
        components.host = host
        if let text = values["port"] {
            guard let port = Int(text), (1...65535).contains(port) else {
                throw .invalidStructure(detail: "'port' is not a number from 1 to 65535", source: source)
            }
            components.port = port
        }
        guard let url = components.url, Origin(url) != nil else {
            throw .invalidStructure(detail: "'host' and 'port' make no address", source: source)
        }
        return url
    }
}

extension NSNumber {
    /// Whether it stands for `true` or `false`: Foundation tells truth values from numbers by their type of C alone.
    fileprivate var isTruthValue: Bool {
        let type = String(cString: objCType)
        return type == "c" || type == "B"
    }
}
