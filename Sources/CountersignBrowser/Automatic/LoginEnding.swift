internal import Countersign

/// The kind of URL that ends a login, by which presenters are selected.
enum LoginEnding: Sendable, Hashable, CaseIterable {
    /// At a redirect URL of this machine, where a presenter can listen.
    case loopback
    /// At another redirect URL, such as one of an application's own scheme.
    case redirect
    /// At a URL of the server, with cookies in the browser.
    case cookies

    init(of presentation: WebPresentation) {
        guard let redirect = presentation.redirect else {
            self = .cookies
            return
        }
        let place = try? LoopbackPlace(redirect.url, authenticationMethod: presentation.authenticationMethod)
        self = place == nil ? .redirect : .loopback
    }
}
