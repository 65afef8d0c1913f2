public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Goes through a web login without a browser: follows redirects and submits forms with given values.
///
/// For tests, command lines and machines without a screen, against servers whose login is plain HTML:
///
/// ```swift
/// var configuration = SessionConfiguration()
/// configuration.presenter = FormFillingPresenter(user: "alice", password: "wonderland")
/// ```
///
/// On a page it looks, in this order, for a form that it has a value for, for `<meta http-equiv="refresh">`, and for a single form
/// without anything to fill in, as a SAML identity provider answers with; that one is submitted as it is. It knows no JavaScript, so what
/// stands in `<noscript>` counts, and a page that cannot go on without a script ends the flow with
/// ``FormFillingError/Reason/needsScript``. It never guesses: a password that is asked for again, a choice, or a field without a
/// value ends the flow with an error that says what the page wants. A page that another application can move on waits for that instead.
///
/// **Where values go.** Into forms of the origin of the first page, which is the one that the login's method asks for, and of the
/// ``origins`` that are named. No user looks at the address here, so a redirect to another origin is followed, but the form there ends
/// the flow with ``FormFillingError/Reason/unnamedOrigin(_:)``. A login that begins at an application and goes on at its identity provider
/// names the identity provider:
///
/// ```swift
/// let presenter = FormFillingPresenter(user: "alice", password: "wonderland", origins: [identityProvider])
/// ```
///
/// A flow that begins on this machine, as those of a mock do, needs no names for other origins of this machine. A value is never sent
/// unencrypted to another machine, nor over a redirect to another origin.
///
/// **Which fields.** ``user`` goes into the first text, e-mail or telephone field of the first form that asks for one, ``password`` into the
/// first password field; each is used once. ``values`` go by the names of fields into every form that has them. Hidden fields, boxes that are
/// checked and options that are selected are sent as the page has them; any other field that must have a value ends the flow.
public struct FormFillingPresenter: WebPresenter {
    /// The values for fields, by the field's name. For a checkbox, radio button, select or submit button it is the value to choose.
    public var values: [String: String]
    /// Goes once, in the first form that asks, into the first field that may ask for a user's name.
    public var user: String?
    /// Goes once, in the first form that asks, into the first password field.
    public var password: String?
    /// The origins whose forms may have the values, besides that of the first page.
    public var origins: Set<Origin>
    /// What it says it is; it goes through pages in the same way in either case.
    public var isEmbeddedWebView = false
    /// The most pages of one flow, redirects included.
    public var maximumPages = 30
    /// The most bytes of one page.
    public var maximumPageBytes = 1 << 20

    /// Makes a presenter that knows fields by their names.
    ///
    /// - Parameters:
    ///   - values: What to fill in, by the field's name.
    ///   - origins: Addresses of the servers whose forms may have the values, by scheme, host and port, besides that of the first page.
    ///     One that is neither `http` nor `https` names none.
    public init(values: [String: String], origins: [URL] = []) {
        self.values = values
        self.origins = Set(origins.compactMap { Origin($0) })
    }

    /// Makes a presenter that knows user and password, whatever the fields are called.
    ///
    /// - Parameters:
    ///   - user: For the first text, e-mail or telephone field.
    ///   - password: For the first password field.
    ///   - values: For other fields, by name; a name that is here counts more than the kind of its field.
    ///   - origins: Addresses of the servers whose forms may have the values, by scheme, host and port, besides that of the first page.
    ///     One that is neither `http` nor `https` names none.
    public init(user: String, password: String, values: [String: String] = [:], origins: [URL] = []) {
        self.values = values
        self.origins = Set(origins.compactMap { Origin($0) })
        self.user = user
        self.password = password
    }

    /// Goes through the flow until a URL ends it.
    ///
    /// - Throws: `PresentationFailure.refused(_:)` with a ``FormFillingError`` if a page asks again for what it was given;
    ///   `PresentationFailure.load(_:)` with another ``FormFillingError`` or what the transport threw; `CancellationError`.
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
    /// The names of the fields that it knows; no value is shown.
    public var description: String {
        var known = values.keys.sorted()
        if user != nil { known.append("any user") }
        if password != nil { known.append("any password") }
        return "FormFillingPresenter(\(known.joined(separator: ", ")))"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror {
        Mirror(self, children: ["names": values.keys.sorted(), "maximumPages": maximumPages, "maximumPageBytes": maximumPageBytes])
    }
}
