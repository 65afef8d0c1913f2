/// An error of a presenter that knows what was wrong with a page.
///
/// A spec can explain statuses of its pages; the explanation is part of the method's error if the presenter's error says the status.
public protocol PageFailure: Error, Sendable {
    /// The status that the server answered with, if that is what is wrong.
    var status: Int? { get }
    /// Where the page was asked for.
    var origin: Origin? { get }
    /// What was wrong, in words of the presenter's own: no secret, nothing that the page says, no address beyond an origin.
    ///
    /// It is quoted in the method's error. `nil` unless a presenter's error has one.
    var explanation: String? { get }
}

extension PageFailure {
    public var explanation: String? { nil }
}
