import Countersign
import SAPMobileServices
import Synchronization

/// Warns once in a run that a login does not begin at the page that the configuration names, because that page requires an
/// embedded web view.
final class PassedOverWarning: SessionEventObserver {
    private let console: Console
    private let keys: Set<String>
    private let isReported = Mutex(false)

    /// Creates a warning for the logins of a configuration.
    init(for configuration: DiscoveryConfiguration, on console: Console) {
        self.console = console
        keys = Self.keys(in: configuration.dictionary)
    }

    func observe(_ event: SessionEvent) {
        guard case .passedOver = event.kind,
            isReported.withLock({ isReported in
                defer { isReported = true }
                return !isReported
            })
        else { return }
        let key = keys.first { $0.lowercased().hasPrefix("oauth2.xsuaa") } ?? "oauth2.xsuaaAuthorizationEndpoint"
        console.clearProgress()
        console.message(
            """
            \(console.messages.styled("warning:", .yellow)) '\(VisibleText.escaped(key))' of the configuration is not used: its page works \
            only in the web view of an app, and this command logs in with the browser. The login begins at \
            'oauth2.authorizationEndpoint' instead.
            """)
        console.message(
            """
            \(console.messages.styled("help:", .bold)) If the login works, there is nothing to do; without the key there is no warning. \
            If it does not, log in with an app that has a web view, or ask the server's administrator for a login at that URL.
            """)
    }

    /// Returns the names of all keys, including those in the settings of methods.
    private static func keys(in value: Any) -> Set<String> {
        switch value {
        case let values as [String: Any]: values.reduce(into: []) { $0.formUnion(keys(in: $1.value).union([$1.key])) }
        case let values as [Any]: values.reduce(into: []) { $0.formUnion(keys(in: $1)) }
        default: []
        }
    }
}
