public import Countersign

/// A person as a value: logs in at the pages of a flow by following redirects and submitting forms, without JavaScript.
///
/// It reads what a browser without JavaScript would show, so a page's `<noscript>` form counts. Where a page needs more than that, it
/// says so, in a ``FormFillingError`` inside the presenter's failure.
///
/// ```swift
/// configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
/// ```
///
/// Meant for tests and for automation on machines that may know a password. It has a cookie store of its own, filled with the session's
/// cookies at the start.
public struct FormFillingPresenter: WebPresenter {
    /// The most pages and redirects of one login.
    public var maximumPages = 30
    /// The most bytes of one page.
    public var maximumPageSize = 1024 * 1024

    private let filling: FormFilling

    /// Fills the first field for a user's name and the field for a password.
    public init(user: String, password: String) {
        filling = FormFilling(user: user, password: password)
    }

    /// Fills fields by their names.
    public init(values: [String: String]) {
        filling = FormFilling(values: values)
    }

    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        var walk = PageWalk(presentation, filling: filling, maximumPages: maximumPages, maximumPageSize: maximumPageSize)
        do {
            return try await walk.run()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw PresentationFailure.load(error)
        }
    }
}

// What is filled in must not show in a log that prints a configuration.
extension FormFillingPresenter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "FormFillingPresenter" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
