// The errors of pages that could not be shown, or that did not lead to a login.

extension PreparedProgram {
    /// Returns the error for a failed page.
    func error(of failure: PresentationFailure, on page: LoginPage, at origin: Origin?) -> any Error {
        var cause: any Error = failure
        let number: Int?
        switch failure {
        case .dismissed: number = page.failures[.dismissed]
        case .reloaded: number = page.failures[.reloaded]
        case .background: number = page.failures[.background]
        case .load(let error):
            number = page.failures[.load]
            cause = error
        case .refused(let error):
            number = page.failures[.refused] ?? page.failures[.load]
            // The error for a page that could not be shown gets the failure itself, which tells that the page was shown.
            if page.failures[.refused] != nil { cause = error }
        }
        if let own = number.flatMap({ self.error($0, failure.summary, cause) }) { return own }
        if case .dismissed = failure { return CountersignError(.cancelled, detail: failure.summary, origin: origin) }
        // The spec's explanation of the server's status.
        if case .load(let error as CountersignError) = failure, error.code == .pageRefused { return error }
        return CountersignError(
            .presenterFailed, detail: [failure.summary, failure.explanation].compactMap(\.self).joined(separator: ": "),
            origin: origin)
    }
}

extension PresentationFailure {
    /// The presenter's own explanation of the page's failure, or the description of its error if that is known to contain no
    /// secret; `nil` if there is neither.
    fileprivate var explanation: String? {
        switch self {
        case .load(let error), .refused(let error):
            (error as? any PageFailure)?.explanation ?? (error as? any SecretFreeError)?.description
        case .dismissed, .reloaded, .background: nil
        }
    }
}

extension PresentationFailure {
    /// A description of the failure that contains nothing of the presenter's error.
    var summary: String {
        switch self {
        case .dismissed: "the login page was closed before the login ended"
        case .load: "the login page could not be shown"
        case .refused: "the login page was shown and refused what was entered"
        case .reloaded: "the login page was reloaded, and the login cannot continue from there"
        case .background: "the app is in the background, where no login page can be shown"
        }
    }
}
