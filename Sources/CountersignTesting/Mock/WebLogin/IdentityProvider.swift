import HTTPTypes
import Synchronization

/// The identity provider: shows the login form, and asserts the user to the service provider. Its rules do not come from a spec.
final class IdentityProvider: Sendable {
    /// A single-use assertion of a user.
    struct Assertion: Sendable {
        let user: String
        /// The identifier of the service provider's request.
        let requestID: String
        let expires: ContinuousClock.Instant
    }

    /// A login form that was shown and not yet submitted.
    private struct Transaction {
        let requestID: String
        let relayState: String
        /// The cookie value of the browser that received the form.
        let browser: String
    }

    private struct State {
        var transactions: [String: Transaction] = [:]
        var assertions: [String: Assertion] = [:]
        /// The signed-in users by cookie value.
        var users: [String: String] = [:]
    }

    /// The URLs, names and users that the two servers share.
    struct Settings: Sendable {
        /// The URL where a login begins.
        let signOn: MockAddress
        /// The target of the login form.
        let login: MockAddress
        /// The URL to which the browser posts the response.
        let assertionConsumer: String
        let userField: String
        let passwordField: String
        let users: [String: String]
        let remembersUsers: Bool
        let lifetime: Duration
    }

    static let browserCookie = "mock-idp-browser"
    static let userCookie = "mock-idp-user"

    private let settings: Settings
    private let recorder: MockRecorder
    private let state = Mutex(State())

    init(settings: Settings, recorder: MockRecorder) {
        self.settings = settings
        self.recorder = recorder
    }

    /// Returns the response of a page; `nil` if the path belongs to none.
    func page(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case settings.signOn.path: signOn(request)
        case settings.login.path: login(request)
        default: nil
        }
    }

    /// Returns and removes an assertion, for the service provider.
    func redeem(_ id: String) -> Assertion? {
        state.withLock { $0.assertions.removeValue(forKey: id) }
    }

    /// Handles a login request: a redirect with a query, or a posted form.
    private func signOn(_ request: MockRequest) -> MockResponse {
        let fields: FormFields?
        switch request.method {
        case .get: fields = request.queryFields
        case .post: fields = request.form
        default: return .notAllowed(allow: "GET, POST")
        }
        guard let message = fields?["SAMLRequest"], let relayState = fields?["RelayState"],
            let requestID = SAMLMessage.attribute("ID", of: message)
        else { return refusal("The request is malformed.") }
        let remembered = request.cookieValues(Self.userCookie)
        let known = state.withLock { state in remembered.compactMap { state.users[$0] }.first }
        if let known { return answer(user: known, requestID: requestID, relayState: relayState) }

        let id = Token.make()
        let browser = Token.make()
        state.withLock {
            $0.transactions[id] = Transaction(requestID: requestID, relayState: relayState, browser: browser)
        }
        return form(transaction: id).settingCookie(Self.browserCookie, to: browser)
    }

    /// Handles the submitted login form.
    private func login(_ request: MockRequest) -> MockResponse {
        guard request.method == .post else { return .notAllowed(allow: "POST") }
        guard let form = request.form, let id = form["transaction"] else { return refusal("The form is malformed.") }
        guard let transaction = state.withLock({ $0.transactions[id] })
        else { return refusal("This login has ended. Start again.") }
        guard request.cookieValues(Self.browserCookie).contains(transaction.browser)
        else { return refusal("This browser does not accept cookies.") }

        let user = form[settings.userField] ?? ""
        guard let password = form[settings.passwordField], settings.users[user] == password else {
            recorder.count { $0.wrongPasswords += 1 }
            return self.form(transaction: id, user: user, message: "The user name or the password is wrong.")
        }
        // The form is consumed only now, so that the user can correct a wrong password, and only by the first of concurrent
        // requests.
        guard state.withLock({ $0.transactions.removeValue(forKey: id) }) != nil
        else { return refusal("This login has ended. Start again.") }
        let answer = answer(user: user, requestID: transaction.requestID, relayState: transaction.relayState)
        guard settings.remembersUsers else { return answer }
        let session = Token.make()
        state.withLock { $0.users[session] = user }
        return answer.settingCookie(Self.userCookie, to: session)
    }

    private func form(transaction: String, user: String = "", message: String? = nil) -> MockResponse {
        recorder.count { $0.loginForms += 1 }
        return .page(
            LoginPages.loginForm(
                action: settings.login.path, userField: settings.userField, passwordField: settings.passwordField, user: user,
                message: message, fields: [("transaction", transaction)]))
    }

    private func answer(user: String, requestID: String, relayState: String) -> MockResponse {
        let id = "_" + Token.make()
        let assertion = Assertion(user: user, requestID: requestID, expires: .now + settings.lifetime)
        state.withLock { $0.assertions[id] = assertion }
        return .page(
            LoginPages.selfSubmittingForm(
                action: settings.assertionConsumer,
                fields: [("SAMLResponse", SAMLMessage.response(id: id, inResponseTo: requestID)), ("RelayState", relayState)]))
    }

    private func refusal(_ text: String) -> MockResponse {
        .page(LoginPages.message("Sign-in failed", text), status: .badRequest)
    }
}
