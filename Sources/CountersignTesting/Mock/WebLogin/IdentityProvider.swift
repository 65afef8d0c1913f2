import HTTPTypes
import Synchronization

/// Knows the users: shows the login form, and tells the service provider who signed in. Its rules are its own, not a spec's.
final class IdentityProvider: Sendable {
    /// What it asserts about a user, once.
    struct Assertion: Sendable {
        let user: String
        /// The message of the service provider that it answers.
        let requestID: String
        let expires: ContinuousClock.Instant
    }

    /// A login form that was shown and is not answered.
    private struct Transaction {
        let requestID: String
        let relayState: String
        /// The value of the cookie of the browser that the form was shown to.
        let browser: String
    }

    private struct State {
        var transactions: [String: Transaction] = [:]
        var assertions: [String: Assertion] = [:]
        /// Users who are signed in, by the value of their cookie.
        var users: [String: String] = [:]
    }

    /// Addresses and names that the two servers have agreed on.
    struct Settings: Sendable {
        /// Where a login begins.
        let signOn: MockAddress
        /// Where the form goes.
        let login: MockAddress
        /// Where the browser takes the answer.
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

    /// The answer of one of its pages; `nil` if the address is none of them.
    func page(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case settings.signOn.path: signOn(request)
        case settings.login.path: login(request)
        default: nil
        }
    }

    /// Hands an assertion over to the service provider, and forgets it.
    func redeem(_ id: String) -> Assertion? {
        state.withLock { $0.assertions.removeValue(forKey: id) }
    }

    /// A login begins: by a redirect with a query, or by a posted form.
    private func signOn(_ request: MockRequest) -> MockResponse {
        let fields: FormFields?
        switch request.method {
        case .get: fields = request.queryFields
        case .post: fields = request.form
        default: return .notAllowed(allow: "GET, POST")
        }
        guard let message = fields?["SAMLRequest"], let relayState = fields?["RelayState"],
            let requestID = SAMLMessage.attribute("ID", of: message)
        else { return refusal("The request cannot be understood.") }
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

    /// The form comes back.
    private func login(_ request: MockRequest) -> MockResponse {
        guard request.method == .post else { return .notAllowed(allow: "POST") }
        guard let form = request.form, let id = form["transaction"] else { return refusal("The form cannot be understood.") }
        guard let transaction = state.withLock({ $0.transactions[id] }) else { return refusal("This login is over: begin anew.") }
        guard request.cookieValues(Self.browserCookie).contains(transaction.browser)
        else { return refusal("This browser does not keep cookies.") }

        let user = form[settings.userField] ?? ""
        guard let password = form[settings.passwordField], settings.users[user] == password else {
            recorder.count { $0.wrongPasswords += 1 }
            return self.form(transaction: id, user: user, message: "The user name or the password is wrong.")
        }
        // Used up here and not before, so that a mistyped password can be corrected, and only if no other request was faster.
        guard state.withLock({ $0.transactions.removeValue(forKey: id) }) != nil
        else { return refusal("This login is over: begin anew.") }
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
