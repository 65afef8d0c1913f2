/// An error of a presenter that knows what the server answered instead of a page.
///
/// A spec can explain statuses of its pages; only a presenter that says the status gets the explanation to its reader.
public protocol PageFailure: Error, Sendable {
    /// The status that the server answered with, if that is what is wrong.
    var status: Int? { get }
    /// Where the page was asked for.
    var origin: Origin? { get }
}
