/// Marks what is sent to a token endpoint: no observer attaches a token to it, or answers a challenge to it with another token request.
enum TokenRequest {
    /// Whether the present task is sending one.
    @TaskLocal static var isUnderWay = false
}
