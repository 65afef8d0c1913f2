import HTTPTypes
import Synchronization

/// The service provider: sends browsers to the identity provider, consumes its assertions, and manages sessions.
final class ServiceProvider: Sendable {
    /// A login whose browser was sent to the identity provider and has not returned.
    private struct PendingLogin {
        let requestID: String
        let expires: ContinuousClock.Instant
    }

    private struct State {
        /// The pending logins by `RelayState`.
        var logins: [String: PendingLogin] = [:]
        /// The users by session cookie value.
        var sessions: [String: String] = [:]
    }

    /// The URLs and names.
    struct Settings: Sendable {
        /// The path of the page that begins a login without a session, and ends it with one.
        let launcherPath: String
        /// The redirect target of the launcher for a browser with a session.
        let finish: MockAddress
        /// The URL that receives the response of the identity provider.
        let assertionConsumer: MockAddress
        /// The URL at the identity provider where a login begins.
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

    /// Returns the response of a page; `nil` if the path belongs to none. A finish with a path other than the launcher's is an
    /// ordinary resource.
    func page(for request: MockRequest) -> MockResponse? {
        switch request.path {
        case settings.launcherPath: launch(request)
        case settings.assertionConsumer.path: consume(request)
        default: nil
        }
    }

    /// Returns the user of the request's session.
    func user(of request: MockRequest) -> String? {
        let ids = request.cookieValues(settings.sessionCookie)
        return state.withLock { state in ids.compactMap { state.sessions[$0] }.first }
    }

    /// Ends the session of the request, and returns whether there was one.
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

    /// Whether the request is for a finish that differs from the launcher only by its query.
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
        // The text contains characters that the client must escape correctly in HTML and in forms.
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
        else { return refuse("The response of the identity provider is malformed.", status: .badRequest) }
        // Both are consumed regardless of the result, so a retry must begin a new login.
        let login = state.withLock { $0.logins.removeValue(forKey: relayState) }
        let assertion = identityProvider.redeem(assertionID)
        let now = ContinuousClock.now
        guard let login, let assertion else { return refuse("This response is unknown or was used before.") }
        guard login.requestID == assertion.requestID, SAMLMessage.attribute("InResponseTo", of: message) == login.requestID
        else { return refuse("This response is for another login.") }
        guard login.expires > now, assertion.expires > now else { return refuse("This response has expired.") }

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
