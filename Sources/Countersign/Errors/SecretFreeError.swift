/// An error whose description holds no secret: no token, no password, no page, and of a URL the origin at most.
///
/// Errors of others can hold such things. So the errors and log lines that tell of them only name their type, except for those that conform
/// to this protocol, which are quoted. Conform an error of your own presenter, store or discovery to it if all that it says may be seen.
public protocol SecretFreeError: Error, CustomStringConvertible {}
