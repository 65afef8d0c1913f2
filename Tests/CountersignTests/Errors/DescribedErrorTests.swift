import Countersign
import TestTurns
import Testing

@Suite(.takesTurns) struct `Errors with texts in a table` {
    private enum LoginError: DescribedError, OAuth2ServerErrorCarrying {
        case page(any Error)
        case refused(OAuth2ServerError)
        case argument(detail: String)
        case answer(status: Int)
        case busy

        static let table = ErrorTable(
            of: LoginError.self, "Login",
            [
                .init("page", { .page($0.error) }, "The page could not be shown.").reason("It is not there.")
                    .recovery("Check its address."),
                .init("refused", { $0.server.map { .refused($0) } }, "The server refused."),
                .init("argument", { .argument(detail: $0.detail) }, "An argument cannot be used.").recovery("Correct it."),
                .init("answer", { $0.status.map { .answer(status: $0) } }, "There is no token.").reason("The answer was another."),
                .init("busy", .busy, "A login runs").reason("one at a time"),
            ])

        var occurrence: ErrorOccurrence {
            switch self {
            case .page(let error): ErrorOccurrence(0, page: error)
            case .refused(let error): ErrorOccurrence(1, error: error)
            case .argument(let detail): ErrorOccurrence(2, detail: detail)
            case .answer(let status): ErrorOccurrence(3, status: status)
            case .busy: ErrorOccurrence(4)
            }
        }
    }

    @Test func `an error that carries nothing has the texts of its case as they are`() {
        let error = LoginError.busy
        #expect(error.code == "busy")
        #expect(error.errorDescription == "A login runs")
        #expect(error.failureReason == "one at a time")
        #expect(error.recoverySuggestion == nil)
        #expect(error.description == "A login runs one at a time [Login.busy]")
    }

    @Test func `what an error carries is a part of its reason`() {
        #expect(LoginError.argument(detail: "the URL is none").failureReason == "The URL is none.")
        #expect(LoginError.answer(status: 503).failureReason == "The answer was another. The server answered with status 503.")
        #expect(LoginError.answer(status: 503).recoverySuggestion == nil)
    }

    @Test func `a page that refused what was entered has a text of its own`() {
        struct Unreachable: Error {}
        let shown = LoginError.page(PresentationFailure.refused(Unreachable()))
        #expect(shown.errorDescription == "The login was refused.")
        #expect(shown.recoverySuggestion?.hasPrefix("Check what was entered") == true)
        #expect(shown.failureReason == "The page did not accept what was entered.")
        let hidden = LoginError.page(PresentationFailure.load(Unreachable()))
        #expect(hidden.errorDescription == "The page could not be shown.")
        #expect(hidden.failureReason == "It is not there. A page could not be loaded.")
        #expect(hidden.recoverySuggestion == "Check its address.")
    }

    @Test func `what an authorization server said is handed on`() throws {
        #expect(LoginError.busy.serverError == nil)
        let said = OAuth2ServerError(code: "access_denied", message: "Not you.", uri: nil, state: nil)
        #expect(LoginError.refused(said).serverError != nil)
        #expect(LoginError.refused(said).failureReason != nil)
    }
}
