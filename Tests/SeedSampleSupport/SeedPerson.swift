public import Countersign
internal import CountersignTesting

/// The user of the pages that samples show: alice, who has her password and the authenticator app.
public final class SeedPerson: WebPresenter {
    /// The behavior of the user.
    public enum Habit: Sendable {
        /// Logs in, and types the passcode.
        case fillsInForms
        /// Logs in, and leaves the page for the passcode to the authenticator app.
        case waitsForTheApp
        /// Looks at the page, and does nothing.
        case doesNothing
    }

    private let habit: Habit
    private let app: MockAuthenticatorApp
    private let shown = Answer(of: Void.self)

    init(_ habit: Habit, app: MockAuthenticatorApp) {
        self.habit = habit
        self.app = app
    }

    /// Handles a page as the user's habit says.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        switch habit {
        case .doesNothing:
            shown.give(())
            // No value is provided, so this ends when the page is closed.
            _ = await Answer(of: Void.self).value
            throw CancellationError()
        case .waitsForTheApp where presentation.authenticationMethod == "OTP":
            // The first request is sent after the presenter has subscribed to the mover's URLs. A URL that the app sends earlier
            // has no effect.
            let watched = presentation.watched { [shown] in shown.give(()) }
            return try await FormFillingPresenter(values: [:]).present(watched)
        case .fillsInForms where presentation.authenticationMethod == "OTP":
            return try await FormFillingPresenter(values: ["j_passcode": app.code]).present(presentation)
        default:
            return try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
        }
    }

    /// Waits until the page that the user does not fill in is shown.
    public func pageIsShown() async { _ = await shown.value }
}
