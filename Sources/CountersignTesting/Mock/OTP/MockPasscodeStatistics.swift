/// What a mock landscape has counted about one-time passcodes.
public struct MockPasscodeStatistics: Sendable, Hashable {
    /// Requests for resources that were answered with the demand for a passcode.
    public var challenges = 0
    /// Forms that were shown, those after a wrong code included.
    public var forms = 0
    /// Requests for the form by browsers that had not been asked for a passcode, which were answered with 404.
    public var unasked = 0
    /// Codes that were wrong.
    public var wrongCodes = 0
    /// Codes that were right and had been used before.
    public var usedCodes = 0
    /// Codes that were accepted.
    public var logins = 0

    /// Nothing counted.
    public init() {}
}
