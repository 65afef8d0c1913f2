public import Countersign
public import Foundation

/// Why a login could not be done by filling forms. Holds no address beyond origin and path, no value of a field and no text of a page
/// but its title.
public struct FormFillingError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// What went wrong.
    public enum Reason: Sendable, Hashable {
        /// The page does everything by JavaScript.
        case needsJavaScript
        /// The page has no form and leads nowhere.
        case noForm
        /// The form has required fields that no value is known for, with these names.
        case unknownFields([String])
        /// The login form came back after it was submitted: user or password are wrong.
        case loginRefused
        /// The form wants something other than text, such as a file.
        case unsupportedForm
        /// The page is not HTML but of this type, or of none.
        case notHTML(String?)
        /// The server answered with an error.
        case status
        /// The page is larger than the presenter reads.
        case pageTooLarge
        /// More pages than the presenter follows.
        case tooManyPages
        /// A page leads to something that may not be opened: another scheme, or from https to http.
        case refusedAddress
    }

    /// What went wrong.
    public let reason: Reason
    /// The page's origin.
    public let origin: Origin?
    /// The page's path.
    public let path: String
    /// The page's title.
    public let title: String?
    /// The status that the page came with.
    public let status: Int?

    public var description: String {
        var place = "\(origin?.description ?? "")\(path)"
        if let title, !title.isEmpty { place += " (\u{201C}\(title)\u{201D})" }
        return "\(sentence) at \(place)"
    }

    private var sentence: String {
        switch reason {
        case .needsJavaScript: "The page needs JavaScript, which this presenter does not run,"
        case .noForm: "There is neither a form nor a link to follow"
        case .unknownFields(let names): "No value is known for \(names.map { "'\($0)'" }.joined(separator: ", "))"
        case .loginRefused: "The login form came back after it was submitted"
        case .unsupportedForm: "The form wants more than text"
        case .notHTML(let type): "There is \(type ?? "something without a type") in place of a page"
        case .status: "The server answered with status \(status ?? 0)"
        case .pageTooLarge: "The page is too large"
        case .tooManyPages: "The login has too many pages"
        case .refusedAddress: "The page leads to an address that may not be opened"
        }
    }

    public var errorDescription: String? { description }
    /// What the reader can do about it.
    public var recoverySuggestion: String? {
        switch reason {
        case .needsJavaScript, .noForm, .unsupportedForm, .notHTML: "Use a presenter with a real browser for this login."
        case .unknownFields: "Give the values by name: FormFillingPresenter(values:)."
        case .loginRefused: "Check user and password."
        default: nil
        }
    }
}
