/// An error of a presenter that describes the failure of a page.
///
/// A spec can explain statuses of its pages. The explanation becomes part of the method's error if this error has a status.
public protocol PageFailure: Error, Sendable {
    /// The status of the server's response, if it is the cause.
    var status: Int? { get }
    /// The origin of the page.
    var origin: Origin? { get }
    /// A description in the presenter's own words, without secrets, page contents, or more of a URL than its origin.
    ///
    /// It is quoted in the method's error. `nil` by default.
    var explanation: String? { get }
}

extension PageFailure {
    public var explanation: String? { nil }
}
