#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// What generated authenticators are made of whose pages another application can move on.
extension ProgramAuthenticator {
    /// The identifier of the application that callbacks have to come from; the spec's until it is set. Empty if the method has no callback.
    ///
    /// All that is said of a callback's origin has to be this, by the system (``OpenURLOptions/sourceApplication``) and by the callback
    /// itself, and one of them has to say it. What a callback says of itself proves nothing: that another application cannot do harm
    /// rests on the server, which takes a passcode only from the browser that it has asked for it.
    public var callbackApplication: String {
        get { callbacks?.application ?? "" }
        set { callbacks?.application = newValue }
    }

    /// The whole scheme of this authenticator's callbacks; `nil`, which it is until it is set, for every scheme with the spec's end.
    ///
    /// Set it where two authenticators of an application may wait at the same time: a callback that both would take goes to neither. One
    /// whose scheme is set comes before those that take all.
    public var callbackScheme: String? {
        get { callbacks?.scheme }
        set { callbacks?.scheme = newValue }
    }

    /// The page with the values of a callback in its query; `nil` if one is missing, empty or there twice, or the method has no callback.
    public func callbackPage(from items: [URLQueryItem]) -> URL? {
        for page in program.acquire.compactMap(\.page) {
            guard let rule = page.callback, let url = page.url.url(values) else { continue }
            return (try? rule.parameters(of: items)).map { url.merging($0) }
        }
        return nil
    }

    /// Hands a URL to the page of this authenticator that waits for it. ``CallbackDesk/shared`` knows the pages of all.
    ///
    /// - Throws: ``CallbackRefusal``, and the page has not moved.
    public func open(_ url: URL, options: OpenURLOptions) throws(CallbackRefusal) {
        guard let callbacks else { throw .notAwaited }
        try callbacks.open(url, options)
    }
}
