public import Countersign
internal import CountersignTesting

/// Who sits before the pages that samples show: alice, who has her password and the authenticator app.
public final class SeedPerson: WebPresenter {
    /// What the person does.
    public enum Habit: Sendable {
        /// Logs in, and types the passcode.
        case fillsInForms
        /// Logs in, and leaves the page for the passcode to the authenticator app.
        case waitsForTheApp
        /// Looks at the page.
        case doesNothing
    }

    private let habit: Habit
    private let app: MockAuthenticatorApp
    private let shown = Answer(of: Void.self)

    init(_ habit: Habit, app: MockAuthenticatorApp) {
        self.habit = habit
        self.app = app
    }

    /// Does with a page what is this person's habit.
    public func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        switch habit {
        case .doesNothing:
            shown.give(())
            // Nobody gives it, so it ends when the page is closed.
            _ = await Answer(of: Void.self).value
            throw CancellationError()
        case .waitsForTheApp where presentation.authenticationMethod == "OTP":
            // The page is asked for once the presenter has taken the mover's URLs; an app that is quicker would find a page that stays.
            let watched = presentation.watched { [shown] in shown.give(()) }
            return try await FormFillingPresenter(values: [:]).present(watched)
        case .fillsInForms where presentation.authenticationMethod == "OTP":
            return try await FormFillingPresenter(values: ["j_passcode": app.code]).present(presentation)
        default:
            return try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
        }
    }

    /// Waits until the page is there that the person leaves alone.
    public func pageIsShown() async { _ = await shown.value }
}
