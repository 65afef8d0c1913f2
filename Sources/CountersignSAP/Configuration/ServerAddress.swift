internal import Countersign
internal import Foundation

/// The URL of the server, which a configuration contains in parts.
enum ServerAddress {
    /// Returns the URL from `host`, `protocol` (default `https`) and `port`; `nil` without a host.
    static func url(of values: [String: String], source: String) throws(ConfigurationError) -> URL? {
        guard let host = values["host"] else { return nil }
        // Only a host name or address is accepted, since other characters would change the meaning of the URL.
        guard !host.isEmpty, !host.contains(where: { "/?#@\\% \t\r\n".contains($0) }) else {
            throw .invalidStructure(detail: "'host' is not a valid host name", source: source)
        }
        // Foundation traps for an invalid scheme, so it is checked first.
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
            throw .invalidStructure(detail: "'host' and 'port' do not form a valid URL", source: source)
        }
        return url
    }
}
