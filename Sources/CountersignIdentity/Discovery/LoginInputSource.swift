/// Answers the rounds of a login: an application's screen, or a script.
public protocol LoginInputSource: Sendable {
    /// Answers one round.
    ///
    /// - Parameter input: What the server wants to know.
    /// - Returns: A value for each field that has one; `nil` if the user gave up.
    func values(for input: LoginInput) async throws -> [LoginInputFieldValue]?

    /// Called when no more rounds follow, however the login ended: a screen can close.
    func finished() async
}
