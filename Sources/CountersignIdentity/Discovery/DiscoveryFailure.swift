/// What a step of a discovery can fail with.
public enum DiscoveryFailure: Error, Sendable {
    /// Another status than those that the spec names, and what the server says about it, if it does.
    case status(Int, message: String)
    /// No answer.
    case network(any Error)
    /// The answer is no JSON, or lacks what the next steps need.
    case missing(String)
    /// The application gave an error in place of the input.
    case refused(any Error)
    /// The application took too long for the input.
    case late
    /// The server went on asking.
    case endless
    /// The subject or a name of the certificate is none.
    case name(String)
    /// There is no such kind of key, or it could not be made or used.
    case key
    /// There is no certificate in what came.
    case certificate(String)
    /// None of the certificates is the key's, or it is not valid.
    case mismatch(String)
}
