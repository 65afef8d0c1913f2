public import Countersign

/// What the Secure Login Server wants to know in one round.
public typealias SLSLoginInput = LoginInput
/// A field of it.
public typealias SLSLoginInputField = LoginInputField
/// What a user answered in a field.
public typealias SLSLoginInputFieldValue = LoginInputFieldValue

/// Asks the user what the Secure Login Server wants to know.
///
/// ```swift
/// final class LoginScreen: SLSLoginInputDelegate {
///     func slsUserIdentityDiscovery(
///         _ discovery: SLSUserIdentityDiscovery, needsInputForLogin input: SLSLoginInput,
///         completionHandler: @escaping @Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void
///     ) { … }
///     func slsUserIdentityDiscoveryDidFinishReceivingInput(_ discovery: SLSUserIdentityDiscovery) { … }
/// }
/// ```
@preconcurrency
public protocol SLSLoginInputDelegate: AnyObject, Sendable {
    /// Asks for one round; called on no particular thread.
    ///
    /// - Parameters:
    ///   - discovery: Who asks.
    ///   - input: What to ask for: messages, a disclaimer, fields.
    ///   - completionHandler: Called once, on any thread: with a value for each field; with an error, which ends the login; or with
    ///     neither where the user gave up.
    func slsUserIdentityDiscovery(
        _ discovery: SLSUserIdentityDiscovery, needsInputForLogin input: SLSLoginInput,
        completionHandler: @escaping @Sendable ([SLSLoginInputFieldValue]?, (any Error)?) -> Void)

    /// Called on no particular thread: no more rounds follow, however the login ended: a screen can close.
    func slsUserIdentityDiscoveryDidFinishReceivingInput(_ discovery: SLSUserIdentityDiscovery)
}
