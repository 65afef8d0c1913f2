/// The behaviour of the server in the mock landscape.
public struct ResolvedMock: Sendable, Hashable {
    public var sessionCookie = "session"
    public var loginRedirect = LoginRedirect.javascript
    public var page = Page.login
    public var userField = "j_username"
    public var passwordField = "j_password"
    public enum LoginRedirect: String, Sendable, Hashable, CaseIterable { case javascript, redirect }
    /// The input that the page of the flow asks for.
    public enum Page: String, Sendable, Hashable, CaseIterable { case login, passcode }
    public init() {}
}

extension ResolvedMock {
    /// Reads the behaviour of the server.
    init(reading node: DocumentNode?) {
        self.init()
        guard let node else { return }
        sessionCookie = node.text("session-cookie") ?? sessionCookie
        loginRedirect = node.text("login-redirect").flatMap(LoginRedirect.init) ?? loginRedirect
        page = node.text("page").flatMap(Page.init) ?? page
        userField = node.text("user-field") ?? userField
        passwordField = node.text("password-field") ?? passwordField
    }
}
