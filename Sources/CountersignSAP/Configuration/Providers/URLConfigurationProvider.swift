public import Countersign
public import Foundation
internal import Synchronization

/// Provides the configuration in a link that opened the application: the value of its query item `config`, as percent-encoded JSON
/// or as JSON in Base64.
///
/// The link comes from ``AppDelegateDispatcher``, from ``handle(_:)``, or from the input with the key `URLstring`:
///
/// ```swift
/// let provider = URLConfigurationProvider()
/// AppDelegateDispatcher.register(provider)
/// let result = AppDelegateDispatcher.application(open: url)
/// AppDelegateDispatcher.unregister(provider)
/// ```
///
/// Any web page can open such a link, so show the user the server that it names.
public final class URLConfigurationProvider: ConfigurationProviding, AppDelegateObserving {
    public let providerIdentifier = ConfigurationProviderNames.url
    /// Empty while there is a handled link.
    public var expectedInput: [String: Any] {
        link.withLock { $0 == nil } ? [ConfigurationProviderInputKeys.URLstring.rawValue: ""] : [:]
    }
    public var configurationSource: String { Self.source }

    /// The maximum length of a link in bytes.
    static let maximumSize = 64 << 10
    private static let source = "the link"

    /// The configuration of a link, or only the error if it has none, and the time of arrival.
    private struct Link {
        let content: Result<ConfigurationNode, ConfigurationError>
        let arrival: Arrival
    }

    private let link = Mutex<Link?>(nil)
    private let clock: any Clock<Duration>

    /// Creates a provider without a link.
    public convenience init() { self.init(clock: ContinuousClock()) }

    /// Creates a provider without a link.
    ///
    /// - Parameter clock: The clock for the lifetime of a link's passcode, measured from the call of ``handle(_:)``.
    public init(clock: any Clock<Duration>) { self.clock = clock }

    /// Handles a link. The lifetime of its passcode begins now.
    ///
    /// - Returns: Whether the link contains a configuration. It is provided once; the next call needs another link. If the link has
    ///   an invalid `config`, ``provideConfiguration(input:)`` returns the error until the next link.
    public func handle(_ url: URL) -> Bool {
        let arrival = Arrival(clock)
        let text = url.absoluteString
        guard text.contains("config=") else { return false }
        let content = Result { () throws(ConfigurationError) in try Self.checked(text) }
        link.withLock { $0 = Link(content: content, arrival: arrival) }
        guard case .success = content else { return false }
        return true
    }

    /// Handles a link that the application is opened with, if it contains a configuration.
    public func application(open url: URL, options: OpenURLOptions) -> Bool { handle(url) }

    /// Returns the configuration of the link in the input, or of the handled link, which is then dropped.
    ///
    /// A passcode that arrived longer ago than ``OnboardingPasscode/defaultLifetime`` is omitted, since the caller does not know
    /// its age. A ``ConfigurationLoader`` measures its lifetime from the link's arrival.
    public func provideConfiguration(
        input: [String: Any]
    ) -> (providerSuccess: Bool, configuration: NSDictionary, returnError: (any Error)?) {
        let (content, arrival) = take(input)
        let isOld = arrival.age() >= OnboardingPasscode.defaultLifetime
        return answer(content.map { isOld ? $0.exchangingPasscodes : $0 })
    }

    private func take(_ input: [String: Any]) -> (Result<ConfigurationNode, ConfigurationError>, Arrival) {
        let now = Arrival(clock)
        let key = ConfigurationProviderInputKeys.URLstring.rawValue
        if let value = input[key] {
            let content = Result { () throws(ConfigurationError) in
                guard let text = value as? String else {
                    throw .invalidStructure(detail: "'\(key)' is not a string", source: "the input")
                }
                return try Self.checked(text)
            }
            return (content, now)
        }
        let link = link.withLock { link in
            defer { if case .success? = link?.content { link = nil } }
            return link
        }
        guard let link else { return (.failure(.missingKey(key, source: "the input")), now) }
        return (link.content, link.arrival)
    }

    private static func checked(_ link: String) throws(ConfigurationError) -> ConfigurationNode {
        let node = try read(link)
        _ = try DiscoveryConfiguration(node, source: source)
        return node
    }

    private static func read(_ link: String) throws(ConfigurationError) -> ConfigurationNode {
        guard link.utf8.count <= maximumSize else {
            throw .invalidStructure(detail: "it has more than \(maximumSize) bytes", source: source)
        }
        guard let query = query(of: link) else { throw .missingKey("config", source: source) }
        // The query is parsed here, because Foundation returns `nil` for an invalid percent-encoding, as if there were no value.
        let values = query.split(separator: "&").filter { $0.hasPrefix("config=") }.map { $0.dropFirst("config=".count) }
        guard let value = values.first else { throw .missingKey("config", source: source) }
        guard values.count == 1 else { throw .invalidStructure(detail: "'config' occurs more than once", source: source) }
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

    /// Decodes both alphabets of RFC 4648, with or without padding. A space that a form decoder made from `+` is restored.
    private static func base64(_ text: String) -> Data? {
        let bytes = Base64URL.lenientBytes(text.replacing(" ", with: "+"))
        return bytes.flatMap { $0.isEmpty ? nil : Data($0) }
    }
}

extension URLConfigurationProvider: TimedConfigurationProviding {
    func provideTimedConfiguration(input: [String: Any]) -> (answer: ConfigurationAnswer, arrival: Arrival?) {
        let (content, arrival) = take(input)
        return (answer(content), arrival)
    }
}
