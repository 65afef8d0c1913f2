public import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The reason why a form-filling presenter could not continue, with the page where it stopped.
///
/// It contains no values: of a URL the origin and path, of a field its name.
public struct FormFillingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Sendable, Hashable {
        /// No value is known for the page's fields of these names. The name is empty for a field without one.
        case missingValues([String])
        /// The page asks again for values that were already sent, so they are wrong.
        case loginRefused
        /// The page has no form that can be submitted without a script.
        case needsScript
        /// The page has neither a form nor a redirect.
        case noForm
        /// The page has several forms, and no value is known for any of them.
        case severalForms
        /// The form has an unsupported method or encoding. The associated value is the page's text for it.
        case unsupportedForm(String)
        /// Values would be sent unencrypted to another machine, or redirected to another origin.
        case insecureForm
        /// Values would be sent to a form at this origin, which is neither the first page's nor one of
        /// ``FormFillingPresenter/origins``.
        case unnamedOrigin(Origin)
        /// A page refers to a URL that must not be followed.
        case addressRefused(AddressProblem)
        /// The page is not HTML. The associated value is its media type.
        case notHTML(contentType: String?)
        /// The server answered with an error status and without a login form.
        case status(Int)
        /// The page exceeds the limit in bytes.
        case pageTooLarge(limit: Int)
        /// The flow exceeds the limit of pages.
        case tooManyPages(limit: Int)
    }

    /// The reason why a URL must not be followed.
    public enum AddressProblem: Sendable, Hashable {
        /// It has this scheme, which is neither `http` nor `https`, and does not end the flow.
        case scheme(String)
        /// It leads from `https` to `http`.
        case unencrypted
        /// It is invalid, has a user name, or is one of several in one redirect.
        case unusable
    }

    /// The kind of error.
    public let reason: Reason
    /// The page's origin and path.
    public let page: String
    /// The page's title, if it has one that contains no value.
    public let title: String?

    /// Creates an error.
    public init(_ reason: Reason, page: String, title: String? = nil) {
        self.reason = reason
        self.page = page
        self.title = title
    }

    public var description: String {
        let named = title.map { "\(page) (\u{201C}\($0)\u{201D})" } ?? page
        return "\(named): \(reason.sentence)"
    }
}

extension FormFillingError: PageFailure {
    /// The status of the server's error response.
    public var status: Int? {
        guard case .status(let status) = reason else { return nil }
        return status
    }
    /// The page's origin.
    public var origin: Origin? { URL(string: page).flatMap { Origin($0) } }
    /// The reason without texts of the page. Field names and media types are only in ``reason``.
    public var explanation: String? {
        switch reason {
        case .missingValues: "the page asks for a value that the presenter does not have"
        case .loginRefused: "the page asks again for values that were already sent"
        case .unsupportedForm: "the form's method, encoding or URL is not supported"
        case .addressRefused(.scheme): "the page leads to a URL that is neither http nor https and does not end the flow"
        case .notHTML: "the page is not HTML"
        // The status is reported separately, by `status`.
        case .status: nil
        case .needsScript, .noForm, .severalForms, .insecureForm, .unnamedOrigin, .addressRefused, .pageTooLarge, .tooManyPages:
            reason.sentence
        }
    }
}

extension FormFillingError.Reason {
    fileprivate var sentence: String {
        switch self {
        case .missingValues(let names):
            "no value is known for \(names.map { $0.isEmpty ? "a field without a name" : $0 }.joined(separator: ", "))"
        case .loginRefused: "the login was refused: the page asks again for values that were already sent"
        case .needsScript: "the page needs JavaScript"
        case .noForm: "the page has no form and no redirect"
        case .severalForms: "the page has several forms, and no value is known for any of them"
        case .unsupportedForm(let what): "the form's method, encoding or URL is not supported: \(what)"
        case .insecureForm: "the form's values would be sent unencrypted or to another origin"
        case .unnamedOrigin(let origin):
            "values may not be sent to a form at \(origin); add it to the presenter's 'origins'"
        case .addressRefused(.scheme(let scheme)): "the page leads to a URL with scheme '\(scheme)', which does not end the flow"
        case .addressRefused(.unencrypted): "the page leads from https to http"
        case .addressRefused(.unusable): "the page leads to a URL that cannot be used"
        case .notHTML(let type): type.map { "the page is \($0), not HTML" } ?? "the page has no valid media type"
        case .status(let status): "the server answered with status \(status)"
        case .pageTooLarge(let limit): "the page has more than \(limit) bytes"
        case .tooManyPages(let limit): "the flow has more than \(limit) pages"
        }
    }
}
