internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLSessionConfiguration {
    /// Returns the settings of a transport's session: it keeps nothing, neither in memory nor on disk.
    static func transport(_ configuration: URLSessionTransport.Configuration) -> URLSessionConfiguration {
        let settings = URLSessionConfiguration.ephemeral
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.httpCookieAcceptPolicy = .never
        settings.urlCache = nil
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.urlCredentialStorage = nil
        settings.httpMaximumConnectionsPerHost = configuration.maximumConnectionsPerHost
        return settings
    }
}
