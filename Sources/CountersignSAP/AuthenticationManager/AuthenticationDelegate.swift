/// Is notified by an authentication manager of the user who has logged in.
///
/// Methods are called on no particular thread.
///
/// It is `@preconcurrency` for applications in Swift 5 mode, whose classes conform without a word about `Sendable`.
@preconcurrency public protocol AuthenticationDelegate: AnyObject, Sendable {
    /// Another user has logged in than the one before. Whether that stands is asked next, with
    /// ``authenticationHandler(_:shouldAccept:insteadOf:completionHandler:)``.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - user: The identifier of the user before.
    ///   - to: The identifier of the user who has logged in.
    func authenticationHandler(_ handler: any AuthenticationHandling, user: String, didChange to: String)

    /// An authentication has failed, or was refused.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - user: The identifier of the user before, if there was one.
    ///   - error: What all requests get that waited.
    func authenticationHandler(_ handler: any AuthenticationHandling, user: String?, didFailToAuthenticate error: any Error)

    /// A user has logged in, the same as before, the first one, or another one who was accepted. All requests that need the login wait until
    /// the completion handler is called; called with an error, they fail with it and nothing of the login is kept.
    ///
    /// Without an implementation the login stands.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - userInfo: The user who has logged in.
    ///   - completionHandler: To be called once.
    func authenticationHandler(
        _ handler: any AuthenticationHandling, didAuthenticate userInfo: SAPcpmsUserRoles.SAPcpmsUserInfo,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Decides on another user than the one before. All requests that need the login wait for the answer.
    ///
    /// A delegate that accepts is responsible for what is left of the user before: cookies and tokens of other observers, and the
    /// application's own data. Without an implementation the user is refused: the requests fail with
    /// ``SAPcpmsAuthenticationManagerError/userSwitch(from:to:)``, and nothing of the login is kept.
    ///
    /// - Parameters:
    ///   - handler: The manager.
    ///   - userInfo: The user who has logged in.
    ///   - user: The identifier of the user before.
    ///   - completionHandler: To be called once, with `true` to accept.
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
