extension ResolvedMock {
    /// Reads how the server is played.
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
