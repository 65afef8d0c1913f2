internal import Countersign
internal import Foundation

/// The address of the server that a configuration names in pieces.
enum ServerAddress {
    /// The address from `host`, `protocol` (https, if it is not there) and `port`; `nil` without a host.
    static func url(of values: [String: String], source: String) throws(ConfigurationError) -> URL? {
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
