import Canaille
import CountersignTesting
import Foundation
import Synchronization

/// A user with a password and an authenticator app, who logs in without a browser. Counts the login pages.
final class SecondFactorPresenter: WebPresenter {
    private let person: Person
    private let opened = Mutex(0)

    init(_ person: Person) { self.person = person }

    var count: Int { opened.withLock { $0 } }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        opened.withLock { $0 += 1 }
        let counter = TimeBasedCode.counter(at: Date())
        do {
            return try await presenter(code: counter).present(presentation)
        } catch PresentationFailure.refused(let error as FormFillingError)
            where error.reason == .loginRefused && TimeBasedCode.counter(at: Date()) != counter
        {
            // The server accepts only the code of the current step, and the step has ended meanwhile, so the next code is used,
            // as a user would.
            return try await presenter(code: TimeBasedCode.counter(at: Date())).present(presentation)
        }
    }

    private func presenter(code counter: UInt64) -> FormFillingPresenter {
        let code = person.ownsFactor ? TimeBasedCode(secret: Array(person.factor.utf8)).code(counter) : "000000"
        return FormFillingPresenter(user: person.name, password: person.password, values: ["otp": code, "answer": "accept"])
    }
}
