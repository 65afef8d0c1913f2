/// What a token request ends in.
public enum ResolvedRequest {
    /// What can go wrong with it.
    public enum Failure: String, Sendable, Hashable, CaseIterable {
        case server, status, network, decode
        case noResponse = "no-response"
    }
}
