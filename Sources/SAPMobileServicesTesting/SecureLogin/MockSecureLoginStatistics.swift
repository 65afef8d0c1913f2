/// What a mock landscape has counted about its Secure Login Server.
public struct MockSecureLoginStatistics: Sendable, Hashable {
    /// Requests for pages of logins, those with values included.
    public var loginRequests = 0
    /// Logins that were begun.
    public var begun = 0
    /// Values that were not right.
    public var wrongValues = 0
    /// Values for a login that there is not, or not any more.
    public var unknownSalts = 0
    /// Logins that came to their end, each with a ticket.
    public var logins = 0
    /// Requests for a certificate.
    public var certificateRequests = 0
    /// Tickets that were wrong, used before, or too old.
    public var badTickets = 0
    /// The serial numbers of certificates that were given out, in order: lower case hexadecimal digits, two for each byte.
    public var issued: [String] = []

    /// Nothing counted.
    public init() {}
}
