public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A presenter that completes web logins without a browser, by following redirects and submitting forms with given values.
///
/// It is for tests, command lines and machines without a display, with servers whose login is plain HTML:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
/// ```
///
/// On each page it searches, in this order, for a form with a known value, for `<meta http-equiv="refresh">`, and for a single form
/// without input fields, such as a SAML response, which it submits unchanged. It does not run JavaScript, so the content of
/// `<noscript>` is used, and a page that requires a script ends the flow with ``FormFillingError/Reason/needsScript``. It never
/// guesses: a repeated request for a password, a choice, or a field without a value ends the flow with an error that names the
/// field. A page that another application can continue waits for that instead. A first page with a form is requested with a `POST`.
///
/// **Recipients of values.** Values are entered into forms at the origin of the first page, which the login's method requests, and
/// at the ``origins``. Since no user checks the URL, a redirect to another origin is followed, but a form there ends the flow with
/// ``FormFillingError/Reason/unnamedOrigin(_:)``. For a login that begins at an application and continues at its identity provider,
/// list the identity provider:
///
/// ```swift
/// let presenter = FormFillingPresenter(user: "alice", password: "wonderland", origins: [identityProvider])
/// ```
///
/// A flow that begins on this machine, such as a mock's, can use all origins of this machine. Values are never sent unencrypted to
/// another machine, or through a redirect to another origin.
///
/// **Fields.** ``user`` is entered into the first text, e-mail or telephone field of the first form that has one, ``password`` into
/// the first password field; each is used once. ``values`` are entered by field name into every form. Hidden fields, checked boxes
/// and selected options are sent as in the page. Any other required field ends the flow.
public struct FormFillingPresenter: WebPresenter {
    /// The values of fields, by field name. For a checkbox, radio button, select or submit button, the value to choose.
    public var values: [String: String]
    /// The user name, entered once into the first field for a user name in the first form that has one.
    public var user: String?
    /// The password, entered once into the first password field in the first form that has one.
    public var password: String?
    /// The origins whose forms may receive values, in addition to that of the first page.
    public var origins: Set<Origin>
    /// The value that the presenter reports. It does not affect its behaviour.
    public var isEmbeddedWebView = false
    /// The maximum number of pages of a flow, including redirects.
    public var maximumPages = 30
    /// The maximum size of a page in bytes.
    public var maximumPageSize = 1 << 20

    /// Creates a presenter with values by field name.
    ///
    /// - Parameters:
    ///   - values: The values, by field name.
    ///   - origins: The URLs of servers whose forms may receive values, by scheme, host and port, in addition to that of the first
    ///     page. URLs with schemes other than `http` and `https` are ignored.
    public init(values: [String: String], origins: [URL] = []) {
        self.values = values
        self.origins = Set(origins.compactMap { Origin($0) })
    }

    /// Creates a presenter with a user name and a password, independently of field names.
    ///
    /// - Parameters:
    ///   - user: The value for the first text, e-mail or telephone field.
    ///   - password: The value for the first password field.
    ///   - values: The values of other fields, by field name, which takes precedence over the kind of field.
    ///   - origins: The URLs of servers whose forms may receive values, by scheme, host and port, in addition to that of the first
    ///     page. URLs with schemes other than `http` and `https` are ignored.
    public init(user: String, password: String, values: [String: String] = [:], origins: [URL] = []) {
        self.values = values
        self.origins = Set(origins.compactMap { Origin($0) })
        self.user = user
        self.password = password
    }

    /// Completes the flow until a URL ends it.
    ///
    /// - Throws: `PresentationFailure.refused(_:)` with a ``FormFillingError`` if a page asks again for values that were already
    ///   sent; `PresentationFailure.load(_:)` with another ``FormFillingError`` or an error of the transport; `CancellationError`.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        do {
            var flow = FormFillingFlow(of: presentation, by: self)
            return try await flow.run()
        } catch {
            guard !Task.isCancelled, !(error is CancellationError) else { throw CancellationError() }
            if let error = error as? FormFillingError, error.reason == .loginRefused { throw PresentationFailure.refused(error) }
            throw PresentationFailure.load(error)
        }
    }
}

extension FormFillingPresenter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names of the fields. Values are not shown.
    public var description: String {
        var known = values.keys.sorted()
        if user != nil { known.append("any user") }
        if password != nil { known.append("any password") }
        return "FormFillingPresenter(\(known.joined(separator: ", ")))"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["names": values.keys.sorted(), "maximumPages": maximumPages, "maximumPageSize": maximumPageSize])
    }
}
