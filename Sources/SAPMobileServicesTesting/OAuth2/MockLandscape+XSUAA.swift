public import CountersignTesting
public import Foundation

extension MockLandscape {
    /// The page of the XSUAA at which a login can begin in place of the authorization endpoint, with the query of a configuration;
    /// `nil` without the rules of SAP Mobile Services or a method with tokens. It is at the identity provider's host, and ends at
    /// the application's first redirect URL.
    public var xsuaaAuthorizationURL: URL? { service(XSUAAServer.self).flatMap { URL(string: $0.authorizationURL) } }

    /// The number of logins that began at the XSUAA and returned a valid code, since the start or the last reset.
    public var xsuaaLogins: Int { service(XSUAAServer.self)?.logins ?? 0 }
}
