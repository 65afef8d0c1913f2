#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Logging
internal import Synchronization

/// The pages of one authenticator that wait for another application.
final class AuthenticatorCallbacks: Sendable {
    private struct Settings {
        var application: String
        var scheme: String?
    }

    private let settings: Mutex<Settings>
    /// The pages of this authenticator alone.
    private let desk = CallbackDesk()

    init(_ rule: CallbackRule) {
        settings = Mutex(Settings(application: rule.application))
    }

    /// - Returns: `nil` if no page of a method waits for another application.
    convenience init?(of program: MethodProgram) {
        guard let rule = program.acquire.lazy.compactMap({ $0.page?.callback }).first else { return nil }
        self.init(rule)
    }

    /// The application that callbacks have to come from.
    var application: String {
        get { settings.withLock { $0.application } }
        set { settings.withLock { $0.application = newValue } }
    }

    /// The whole scheme of callbacks; `nil` for any with the rule's end.
    var scheme: String? {
        get { settings.withLock { $0.scheme } }
        set { settings.withLock { $0.scheme = newValue } }
    }

    /// Hands a URL to the page of this authenticator that waits for it.
    func open(_ url: URL, _ options: OpenURLOptions) throws(CallbackRefusal) { try desk.open(url, options: options) }

    /// Lets a page be moved on for as long as it is shown.
    ///
    /// - Parameters:
    ///   - rule: The callbacks.
    ///   - page: The page, to whose query the values are added.
    ///   - mover: Moves it.
    ///   - logger: Receives the refusals of callbacks.
    func wait<Result: Sendable>(
        for rule: CallbackRule, on page: URL, mover: PageMover, logger: Logger?, authenticationMethod: String,
        while show: () async throws -> Result
    ) async throws -> Result {
        let waiting = CallbackDesk.Waiting(
            accepts: { [self] url in rule.accepts(url, scheme: scheme) }, isExact: { [self] in scheme != nil },
            take: { [self] (url, options) throws(CallbackRefusal) in
                let parameters = try rule.parameters(of: url, from: options.sourceApplication, expecting: application)
                try mover.move(to: page.merging(parameters))
            },
            noteRefusal: { refusal in
                logger?.warning(
                    "a URL for a waiting login page was refused",
                    metadata: ["authentication": "\(authenticationMethod)", "reason": "\(refusal)"])
            })
        return try await CallbackDesk.shared.wait(waiting) {
            try await desk.wait(waiting, during: show)
        }
    }
}
