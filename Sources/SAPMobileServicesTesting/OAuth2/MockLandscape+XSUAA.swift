public import CountersignTesting
public import Foundation

extension MockLandscape {
    /// The page of the XSUAA at which a login can begin instead of at the authorization endpoint, with the whole query that a configuration
    /// has there; `nil` without the rules of SAP Mobile Services or a method that gets tokens. It is at the identity provider's host, and
    /// ends at the application's first redirect URL.
    public var xsuaaAuthorizationURL: URL? { service(XSUAAServer.self).flatMap { URL(string: $0.authorizationURL) } }

    /// How many logins began at the XSUAA and came back with a good code, since the start or the last reset.
    public var xsuaaLogins: Int { service(XSUAAServer.self)?.logins ?? 0 }
}
