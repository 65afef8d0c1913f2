#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

extension SessionConfiguration: ReducedDescription {
    /// The limits, and how many default fields there are.
    public var visibleParts: KeyValuePairs<String, String> {
        [
            "presenter": presenter.map { "\(type(of: $0))" } ?? "none",
            "userCodePresenter": userCodePresenter.map { "\(type(of: $0))" } ?? "none", "requestTimeout": "\(requestTimeout)",
            "flightTimeout": "\(flightTimeout)", "interactiveTimeout": "\(interactiveTimeout)",
            "maximumRedirects": "\(maximumRedirects)", "maximumAuthentications": "\(maximumAuthentications)",
            "defaultFields": "\(defaultFields.count)",
        ]
    }
}

extension Session: ReducedDescription {
    /// How many cookies and observers there are.
    public var visibleParts: KeyValuePairs<String, String> {
        ["cookies": "\(cookies.all.count)", "observers": "\(state.withLock { $0.registrations.count })"]
    }
}

extension ProgramAuthenticator: ReducedDescription {
    /// The method; its parameters may hold secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["method": program.name] }
}

extension AuthenticatorObserver: ReducedDescription {
    /// The name, and the method of the authenticator.
    public var visibleParts: KeyValuePairs<String, String> { ["name": name, "method": authenticator.program.name] }
}

extension GrantAuthenticator: ReducedDescription {
    /// The method; its parameters may hold secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["method": source.authenticationMethod] }
}

extension ProgramObserver: ReducedDescription {
    /// The name; parameters and what is asked for credentials may hold secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["name": name] }
}

extension LandscapeOperation: ReducedDescription {
    /// The name, and the origins of its requests.
    public var visibleParts: KeyValuePairs<String, String> {
        ["name": name, "version": version, "origins": origins.map { "\($0)" }.sorted().joined(separator: ", ")]
    }
}

extension PageMover: ReducedDescription {
    /// Nothing: a URL that waits may hold a passcode.
    public var visibleParts: KeyValuePairs<String, String> { [:] }
}
