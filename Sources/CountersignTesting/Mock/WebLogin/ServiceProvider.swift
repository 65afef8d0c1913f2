import HTTPTypes
import Synchronization

/// Guards the resources: sends browsers to the identity provider, takes its answer, and keeps the sessions.
final class ServiceProvider: Sendable {
    /// A browser that was sent to the identity provider and is not back.
    private struct PendingLogin {
        let requestID: String
        let expires: ContinuousClock.Instant
    }

    private struct State {
        /// By the RelayState that the browser carries.
        var logins: [String: PendingLogin] = [:]
        /// Users by the value of their session cookie.
        var sessions: [String: String] = [:]
    }

    /// Addresses and names.
    struct Settings: Sendable {
        /// The path of the page that begins a login without a session, and ends it with one.
        let launcherPath: String
        /// Where the launcher sends a browser with a session.
        let finish: MockAddress
        /// Where the identity provider's answer arrives.
        let assertionConsumer: MockAddress
        /// Where the identity provider begins a login.
        let signOn: MockAddress
        let sessionCookie: String
        let redirectsByScript: Bool
        let lifetime: Duration
    }

    private let settings: Settings
    private let identityProvider: IdentityProvider
    private let recorder: MockRecorder
    private let state = Mutex(State())

    init(settings: Settings, identityProvider: IdentityProvider, recorder: MockRecorder) {
        self.settings = settings
        self.identityProvider = identityProvider
        self.recorder = recorder
    }

    /// The answer of one of its pages; `nil` if the address is none of them. A finish of another path than the launcher's is a resource like
    /// any other: it may be the one that was asked for.
    func page(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case settings.launcherPath: launch(request)
        case settings.assertionConsumer.path: consume(request)
        default: nil
        }
    }

    /// The user of the session that the request carries.
    func user(of request: MockRequest) -> String? {
        let ids = request.cookieValues(settings.sessionCookie)
        return state.withLock { state in ids.compactMap { state.sessions[$0] }.first }
    }

    /// Ends the session that the request carries; whether there was one.
    func endSession(of request: MockRequest) -> Bool {
        let ids = request.cookieValues(settings.sessionCookie)
        return state.withLock { state in
            ids.reduce(false) { ended, id in state.sessions.removeValue(forKey: id) != nil || ended }
        }
    }

    /// Ends all sessions.
    func endAllSessions() { state.withLock { $0.sessions.removeAll() } }

    private func launch(_ request: MockRequest) -> MockResponse {
        guard request.method == .get else { return .notAllowed(allow: "GET") }
        guard user(of: request) != nil else { return beginLogin() }
        return isFinish(request) ? finished : .redirect(to: settings.finish.url)
    }

    /// The launcher's own address ends the login where the finish differs from it by the query alone.
    private func isFinish(_ request: MockRequest) -> Bool {
        guard settings.finish.path == settings.launcherPath, let expected = settings.finish.queryNames, !expected.isEmpty,
            let query = request.queryFields
        else { return false }
        return expected.isSubset(of: query.pairs.map(\.name))
    }

    private var finished: MockResponse {
        .page(LoginPages.message("Signed in", "You can close this page."))
    }

    private func beginLogin() -> MockResponse {
        let requestID = "_" + Token.make()
        // Text that a client has to escape rightly in HTML and in a form, or the login fails.
        let relayState = "\(Token.make())&to=\(settings.launcherPath) + é"
        let now = ContinuousClock.now
        state.withLock { state in
            state.logins = state.logins.filter { $0.value.expires > now }
            state.logins[relayState] = PendingLogin(requestID: requestID, expires: now + settings.lifetime)
        }
        let fields = [("SAMLRequest", SAMLMessage.request(id: requestID)), ("RelayState", relayState)]
        let target = "\(settings.signOn.url)?\(FormFields.encode(fields))"
        guard settings.redirectsByScript else { return .redirect(to: target) }
        return .page(LoginPages.scriptRedirect(to: target, formAction: settings.signOn.url, fields: fields))
    }

    private func consume(_ request: MockRequest) -> MockResponse {
        guard request.method == .post else { return .notAllowed(allow: "POST") }
        guard let form = request.form, let message = form["SAMLResponse"], let relayState = form["RelayState"],
            let assertionID = SAMLMessage.attribute("ID", of: message)
        else { return refuse("The answer of the identity provider cannot be understood.", status: .badRequest) }
        // Both are used up here, whatever comes of them: a second try has to begin a login of its own.
        let login = state.withLock { $0.logins.removeValue(forKey: relayState) }
        let assertion = identityProvider.redeem(assertionID)
        let now = ContinuousClock.now
        guard let login, let assertion else { return refuse("This answer is not known, or it was used before.") }
        guard login.requestID == assertion.requestID, SAMLMessage.attribute("InResponseTo", of: message) == login.requestID
        else { return refuse("This answer is for another login.") }
        guard login.expires > now, assertion.expires > now else { return refuse("This answer comes too late.") }

        let session = Token.make()
        state.withLock { $0.sessions[session] = assertion.user }
        recorder.count { $0.logins += 1 }
        return MockResponse.redirect(to: settings.launcherPath).settingCookie(settings.sessionCookie, to: session)
    }

    private func refuse(_ text: String, status: HTTPResponse.Status = .forbidden) -> MockResponse {
        recorder.count { $0.refusedAssertions += 1 }
        return .page(LoginPages.message("Sign-in failed", text), status: status)
    }
}
