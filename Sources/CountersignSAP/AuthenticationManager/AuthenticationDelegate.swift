/// A delegate that an authentication manager notifies of logins.
///
/// Methods are called on any thread.
///
/// `@preconcurrency` lets classes of applications in Swift 5 mode conform without declaring `Sendable`.
@preconcurrency public protocol AuthenticationDelegate: AnyObject, Sendable {
    /// Called when a different user has logged in. ``authenticationHandler(_:shouldAccept:insteadOf:completionHandler:)`` is called
    /// next.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - user: The identifier of the previous user.
    ///   - to: The identifier of the user who has logged in.
    func authenticationHandler(_ handler: any AuthenticationHandling, user: String, didChange to: String)

    /// Called when an authentication has failed or was rejected.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - user: The identifier of the previous user, if there was one.
    ///   - error: The error that pending requests fail with.
    func authenticationHandler(_ handler: any AuthenticationHandling, user: String?, didFailToAuthenticate error: any Error)

    /// Called when a user has logged in: the same user, the first one, or another accepted one. All requests that need the login
    /// wait until the completion handler is called. If it is called with an error, they fail with it, and the credential is
    /// discarded.
    ///
    /// The default implementation accepts the login.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - userInfo: The user who has logged in.
    ///   - completionHandler: Must be called once.
    func authenticationHandler(
        _ handler: any AuthenticationHandling, didAuthenticate userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Decides whether to accept a user other than the previous one. All requests that need the login wait for the answer.
    ///
    /// A delegate that accepts is responsible for the previous user's remaining data: cookies and tokens of other observers, and
    /// the application's own data. The default implementation rejects the user: the requests fail with
    /// ``SAPcpmsAuthenticationManagerError/userSwitch(from:to:)``, and the credential is discarded.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - userInfo: The user who has logged in.
    ///   - user: The identifier of the previous user.
    ///   - completionHandler: Must be called once, with `true` to accept.
    func authenticationHandler(
        _ handler: any AuthenticationHandling, shouldAccept userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo, insteadOf user: String,
        completionHandler: @escaping @Sendable (Bool) -> Void)
}

extension AuthenticationDelegate {
    public func authenticationHandler(
        _ handler: any AuthenticationHandling, didAuthenticate userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) { completionHandler(nil) }

    public func authenticationHandler(
        _ handler: any AuthenticationHandling, shouldAccept userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo, insteadOf user: String,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) { completionHandler(false) }
}
