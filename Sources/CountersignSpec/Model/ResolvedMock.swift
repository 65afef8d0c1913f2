/// How the mock landscape plays the server.
public struct ResolvedMock: Sendable, Hashable {
    public var sessionCookie = "session"
    public var loginRedirect = LoginRedirect.javascript
    public var page = Page.login
    public var userField = "j_username"
    public var passwordField = "j_password"
    public enum LoginRedirect: String, Sendable, Hashable, CaseIterable { case javascript, redirect }
    /// What the page of the flow asks for.
    public enum Page: String, Sendable, Hashable, CaseIterable { case login, passcode }
    public init() {}
}
