#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Synchronization

extension SessionConfiguration: ReducedDescription {
    /// The limits, and the number of default fields.
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
    /// The number of cookies and of observers.
    public var visibleParts: KeyValuePairs<String, String> {
        ["cookies": "\(cookies.all.count)", "observers": "\(state.withLock { $0.registrations.count })"]
    }
}

extension ProgramAuthenticator: ReducedDescription {
    /// The method. Parameters are not shown, since they may contain secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["method": program.name] }
}

extension AuthenticatorObserver: ReducedDescription {
    /// The name, and the method of the authenticator.
    public var visibleParts: KeyValuePairs<String, String> { ["name": name, "method": authenticator.program.name] }
}

extension GrantAuthenticator: ReducedDescription {
    /// The method. Parameters are not shown, since they may contain secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["method": source.authenticationMethod] }
}

extension ProgramObserver: ReducedDescription {
    /// The name. Parameters and prompters are not shown, since they may contain secrets.
    public var visibleParts: KeyValuePairs<String, String> { ["name": name] }
}

extension LandscapeOperation: ReducedDescription {
    /// The name, and the origins of its requests.
    public var visibleParts: KeyValuePairs<String, String> {
        ["name": name, "version": version, "origins": origins.map { "\($0)" }.sorted().joined(separator: ", ")]
    }
}

extension PageMover: ReducedDescription {
    /// Empty: a waiting URL may contain a passcode.
    public var visibleParts: KeyValuePairs<String, String> { [:] }
}
