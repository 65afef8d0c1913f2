public import Countersign
public import Foundation
internal import Synchronization

/// Gives the configuration of a link that opened the application: the value of its parameter `config`, percent-encoded JSON or JSON in
/// Base64 (S2, "Cross Context SSO").
///
/// The link comes by ``AppDelegateDispatcher``, by ``handle(_:)``, or in the input under the key `URLstring`:
///
/// ```swift
/// let provider = URLConfigurationProvider()
/// AppDelegateDispatcher.register(provider)
/// let result = AppDelegateDispatcher.application(open: url)
/// AppDelegateDispatcher.unregister(provider)
/// ```
///
/// Any web page can open such a link, so what it says is as good as the page: let the person see which server it names.
public final class URLConfigurationProvider: ConfigurationProviding, AppDelegateObserving {
    public let providerIdentifier = ConfigurationProviderNames.url
    /// Nothing once a link was handled.
    public var expectedInput: [String: Any] {
        link.withLock { $0 } == nil ? [ConfigurationProviderInputKeys.URLstring.rawValue: ""] : [:]
    }

    /// How long a link is at most, in bytes.
    static let maximumBytes = 64 << 10

    private let link = Mutex<String?>(nil)

    /// Makes a provider that has no link yet.
    public init() {}

    /// Takes a link.
    ///
    /// - Returns: Whether it holds a configuration. One that has `config` and holds none is kept too, so that
    ///   ``provideConfiguration(input:)`` says why.
    public func handle(_ url: URL) -> Bool {
        let text = url.absoluteString
        guard text.contains("config=") else { return false }
        link.withLock { $0 = text }
        return provideConfiguration(input: [:]).providerSuccess
    }

    /// Takes a link that the application is opened with, if it holds a configuration.
    public func application(open url: URL, options: OpenURLOptions) -> Bool { handle(url) }

    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        answer(from: "the link") { () throws(ConfigurationError) in
            let key = ConfigurationProviderInputKeys.URLstring.rawValue
            guard let text = input[key] as? String ?? link.withLock({ $0 }) else {
                throw .missingKey(key, source: "the input")
            }
            return try Self.read(text)
        }
    }

    private static func read(_ link: String) throws(ConfigurationError) -> ConfigurationNode {
        let source = "the link"
        guard link.utf8.count <= maximumBytes else {
            throw .invalidStructure(detail: "it has more than \(maximumBytes) bytes", source: source)
        }
        guard let query = query(of: link) else { throw .missingKey("config", source: source) }
        // Read by hand: Foundation gives back a value that is no percent-encoded text as `nil`, as if it were not there.
        let values = query.split(separator: "&").filter { $0.hasPrefix("config=") }.map { $0.dropFirst("config=".count) }
        guard let value = values.first else { throw .missingKey("config", source: source) }
        guard values.count == 1 else { throw .invalidStructure(detail: "'config' is there more than once", source: source) }
        guard let text = String(value).removingPercentEncoding else {
            throw .invalidStructure(detail: "'config' is not percent-encoded text", source: source)
        }
        let start = text.first { !$0.isWhitespace }
        guard start != "{" else { return try ConfigurationText.readJSON(Data(text.utf8), source: source) }
        guard let data = base64(text) else {
            throw .invalidStructure(detail: "'config' is neither JSON nor Base64", source: source)
        }
        return try ConfigurationText.readJSON(data, source: source)
    }

    private static func query(of link: String) -> Substring? {
        let address = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? parts[1] : nil
    }

    /// Both alphabets of RFC 4648, with and without padding; a `+` that a form's decoder made a space of is put back.
    private static func base64(_ text: String) -> Data? {
        var text = text.replacing(" ", with: "+").replacing("-", with: "+").replacing("_", with: "/")
        while text.hasSuffix("=") { text.removeLast() }
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return text.isEmpty ? nil : Data(base64Encoded: text)
    }
}
