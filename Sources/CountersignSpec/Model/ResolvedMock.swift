/// The behaviour of the server in the mock landscape.
package struct ResolvedMock: Sendable, Hashable {
    package var sessionCookie = "session"
    package var loginRedirect = LoginRedirect.javascript
    package var page = Page.login
    package var userField = "j_username"
    package var passwordField = "j_password"
    package enum LoginRedirect: String, Sendable, Hashable, CaseIterable { case javascript, redirect }
    /// The input that the page of the flow asks for.
    package enum Page: String, Sendable, Hashable, CaseIterable { case login, passcode }
    package init() {}
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
