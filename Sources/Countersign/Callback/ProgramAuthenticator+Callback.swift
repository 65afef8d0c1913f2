#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// The interface of generated authenticators whose pages another application can continue.
extension ProgramAuthenticator {
    /// The identifier of the application from which callbacks are accepted. The default is the spec's. Empty if the method has no
    /// callback.
    ///
    /// The system (``OpenURLOptions/sourceApplication``) or the callback's own query must name this application, and neither may
    /// name another one. The query item is no proof of identity. Protection against other applications rests on the server, which
    /// accepts a passcode only from the browser that it asked.
    public var callbackApplication: String {
        get { callbacks?.application ?? "" }
        set { callbacks?.application = newValue }
    }

    /// The complete scheme of this authenticator's callbacks. `nil`, the default, accepts every scheme with the spec's ending.
    ///
    /// Set it if two authenticators of an application may wait at the same time: a callback that matches both is delivered to
    /// neither. An authenticator whose scheme is set takes precedence over those that accept every scheme.
    public var callbackScheme: String? {
        get { callbacks?.scheme }
        set { callbacks?.scheme = newValue }
    }

    /// Returns the page's URL with the values of a callback in its query. Returns `nil` if a value is missing, empty or repeated,
    /// or if the method has no callback.
    public func callbackPage(from items: [URLQueryItem]) -> URL? {
        for page in program.acquire.compactMap(\.page) {
            guard let rule = page.callback, let url = page.url.url(values) else { continue }
            return (try? rule.parameters(of: items)).map { url.merging($0) }
        }
        return nil
    }

    /// Delivers a URL to the waiting page of this authenticator. ``CallbackRouter/shared`` selects among the pages of all
    /// authenticators.
    ///
    /// - Throws: ``CallbackRefusal``; then the page has not changed.
    public func open(_ url: URL, options: OpenURLOptions) throws(CallbackRefusal) {
        guard let callbacks else { throw .notAwaited }
        try callbacks.open(url, options)
    }
}
