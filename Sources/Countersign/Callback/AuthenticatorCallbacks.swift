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
    /// Delivers URLs only to the pages of this authenticator.
    private let router = CallbackRouter()

    init(_ rule: CallbackRule) {
        settings = Mutex(Settings(application: rule.application))
    }

    /// - Returns: `nil` if no page of a method waits for another application.
    convenience init?(of program: MethodProgram) {
        guard let rule = program.acquire.lazy.compactMap({ $0.page?.callback }).first else { return nil }
        self.init(rule)
    }

    /// The identifier of the application that callbacks must come from.
    var application: String {
        get { settings.withLock { $0.application } }
        set { settings.withLock { $0.application = newValue } }
    }

    /// The complete scheme of callbacks; `nil` for any scheme with the rule's ending.
    var scheme: String? {
        get { settings.withLock { $0.scheme } }
        set { settings.withLock { $0.scheme = newValue } }
    }

    /// Delivers a URL to the waiting page of this authenticator.
    func open(_ url: URL, _ options: OpenURLOptions) throws(CallbackRefusal) { try router.open(url, options: options) }

    /// Accepts callbacks for a page while it is shown.
    ///
    /// - Parameters:
    ///   - rule: The rule of the callbacks.
    ///   - page: The page, to whose query the values of a callback are added.
    ///   - mover: Navigates the page.
    ///   - logger: Receives the refusals of callbacks.
    func wait<Result: Sendable>(
        for rule: CallbackRule, on page: URL, mover: PageMover, logger: Logger?, authenticationMethod: String,
        while show: () async throws -> Result
    ) async throws -> Result {
        let waiting = CallbackRouter.Waiting(
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
        return try await CallbackRouter.shared.wait(waiting) {
            try await router.wait(waiting, during: show)
        }
    }
}
