public import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Why the form-filling presenter could not go on, and where it stood.
///
/// Holds what its reader needs to give the missing value, and no value: of an address origin and path, of a field its name.
public struct FormFillingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was in the way.
    public enum Reason: Sendable, Hashable {
        /// The page asks for fields of these names and no value is known; the name is empty for a field that has none.
        case missingValues([String])
        /// The page asks again for what it was given: the values are wrong.
        case loginRefused
        /// The page has no form that could be submitted, but a script.
        case needsScript
        /// The page has neither a form nor a redirect.
        case noForm
        /// The page has more than one form, and none that a value is known for.
        case severalForms
        /// The form is to be sent in a way that is not known here, named as the page does.
        case unsupportedForm(String)
        /// Values would go unencrypted over the network, or to another origin by a redirect.
        case insecureForm
        /// Values would go to a form of this origin, which is neither the first page's nor one of the presenter's
        /// ``FormFillingPresenter/origins``.
        case unnamedOrigin(Origin)
        /// A page leads to an address that may not be followed.
        case addressRefused(AddressProblem)
        /// The page is not HTML, but this.
        case notHTML(contentType: String?)
        /// The server answered with an error, and no login form.
        case status(Int)
        /// The page has more bytes than this.
        case pageTooLarge(limit: Int)
        /// The flow has more pages than this.
        case tooManyPages(limit: Int)
    }

    /// What is wrong with an address.
    public enum AddressProblem: Sendable, Hashable {
        /// It is neither `http` nor `https` but this, and does not end the flow.
        case scheme(String)
        /// It leads from `https` to `http`.
        case unencrypted
        /// It cannot be read, names a user, or is one of several in one redirect.
        case unusable
    }

    /// What was in the way.
    public let reason: Reason
    /// The page's address: origin and path, without the query.
    public let page: String
    /// The page's title, if it has one that holds none of the values.
    public let title: String?

    /// Makes an error.
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
    /// The status of a server that answered with an error.
    public var status: Int? {
        guard case .status(let status) = reason else { return nil }
        return status
    }
    /// The page's origin.
    public var origin: Origin? { URL(string: page).flatMap { Origin($0) } }
    /// The reason without the words of the page: names of fields and types stay in ``reason``.
    public var explanation: String? {
        switch reason {
        case .missingValues: "the page asks for a value that is not known"
        case .loginRefused: "the page asks again for what it was given"
        case .unsupportedForm: "the form is to be sent in a way that is not supported"
        case .addressRefused(.scheme): "it leads to an address that is neither http nor https and does not end the flow"
        case .notHTML: "the page is not HTML"
        // The answer's status is reported by itself.
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
        case .loginRefused: "the login was refused: the page asks for the same again"
        case .needsScript: "the page needs JavaScript"
        case .noForm: "the page has no form and no redirect"
        case .severalForms: "the page has several forms, and none that a value is known for"
        case .unsupportedForm(let what): "the form is to be sent as \(what), which is not supported"
        case .insecureForm: "the form's values would be sent unencrypted or to another origin"
        case .unnamedOrigin(let origin):
            "values are filled in for \(origin) only if the presenter's origins name it, and they do not"
        case .addressRefused(.scheme(let scheme)): "it leads to an address with \(scheme):, which does not end the flow"
        case .addressRefused(.unencrypted): "it leads from https to http"
        case .addressRefused(.unusable): "it leads to an address that cannot be used"
        case .notHTML(let type): type.map { "the page is \($0), not HTML" } ?? "the page does not say that it is HTML"
        case .status(let status): "the server answered with status \(status)"
        case .pageTooLarge(let limit): "the page has more than \(limit) bytes"
        case .tooManyPages(let limit): "the flow has more than \(limit) pages"
        }
    }
}
