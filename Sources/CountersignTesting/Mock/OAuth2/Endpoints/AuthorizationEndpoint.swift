internal import Countersign
import HTTPTypes
import Synchronization

/// The pages of an authorization server: they sign a user in and redirect the browser to the client with a code or an error.
package final class AuthorizationEndpoint: Sendable, RedactedDescription {
    /// A login form that was shown and not yet submitted.
    private struct Transaction {
        let request: AuthorizationRequest
        /// The cookie value of the browser that received the form.
        let browser: String
        let expires: ContinuousClock.Instant
    }

    private struct State {
        var transactions: [String: Transaction] = [:]
        /// The signed-in users by cookie value.
        var users: [String: String] = [:]
        /// The logout pages that were shown and not yet submitted.
        var confirmations: Set<String> = []
    }

    private let browserCookie: String
    private let userCookie: String
    /// The names of the cookies that the pages set.
    package var cookies: Set<String> { [browserCookie, userCookie] }

    private let server: AuthorizationServer
    private let faults: FaultQueue<Void, MockCallbackFault>
    private let state = Mutex(State())

    /// - Parameter cookies: The prefix of the pages' cookie names.
    init(_ server: AuthorizationServer, faults: FaultQueue<Void, MockCallbackFault>, cookies: String = "mock-oauth2") {
        browserCookie = "\(cookies)-browser"
        userCookie = "\(cookies)-user"
        self.server = server
        self.faults = faults
    }

    /// Creates the pages of a server without faults.
    package convenience init(_ server: AuthorizationServer, cookies: String) {
        self.init(server, faults: FaultQueue(), cookies: cookies)
    }

    /// Ends all users' sessions.
    func endSessions() { state.withLock { $0.users.removeAll() } }

    /// Handles an authorization request: a query or a form (RFC 6749, section 3.1).
    package func authorize(_ request: MockRequest) -> MockResponse {
        let fields: FormFields?
        switch request.method {
        case .get: fields = request.queryFields
        case .post: fields = request.form
        default: return .notAllowed(allow: "GET, POST")
        }
        switch judge(fields) {
        case .shown(let text):
            server.recorder.count { $0.refusedAuthorizationRequests += 1 }
            return refusal(text)
        case .redirected(let refusal, let uri, let state):
            server.recorder.count { $0.refusedAuthorizationRequests += 1 }
            return redirect(refusal, to: uri, state: state)
        case .good(let authorization):
            server.note(state: authorization.state, challenge: authorization.challenge)
            server.recorder.count {
                $0.scopesOfRequests.append(authorization.namedScope)
                $0.authorizationParameters.append(authorization.parameters)
            }
            let cookies = request.cookieValues(userCookie)
            let known = state.withLock { state in cookies.compactMap { state.users[$0] }.first }
            if let known, !authorization.asksAgain { return accept(authorization, user: known) }
            guard authorization.isSilent, let refusal = server.openID?.options.silentRefusal else { return begin(authorization) }
            server.recorder.count { $0.refusedAuthorizationRequests += 1 }
            return redirect(OAuth2Refusal(refusal), to: authorization.redirectURI, state: authorization.state)
        }
    }

    /// Validates an authorization request, or a reference to a pushed one (RFC 9126, section 4).
    private func judge(_ fields: FormFields?) -> AuthorizationRequest.Judgement {
        guard let name = fields?["request_uri"] else {
            return server.options.requiresPush
                ? .shown("The app must use a pushed authorization request.") : AuthorizationRequest.judge(fields, at: server)
        }
        guard let request = server.takePushed(name, of: fields?["client_id"])
        else { return .shown("The app's request has expired or is unknown. Start again.") }
        return .good(request)
    }

    /// Handles the submitted login form.
    package func login(_ request: MockRequest) -> MockResponse {
        guard request.method == .post else { return .notAllowed(allow: "POST") }
        guard let form = request.form, let id = form["transaction"] else { return refusal("The form is malformed.") }
        guard let transaction = state.withLock({ $0.transactions[id] }), server.now < transaction.expires
        else { return refusal("This login has ended. Start again.") }
        guard request.cookieValues(browserCookie).contains(transaction.browser)
        else { return refusal("This browser does not accept cookies.") }

        let isDenied = form[LoginPages.cancelField] != nil
        let user = form[server.options.userField] ?? ""
        guard isDenied || isRight(form[server.options.passwordField], for: user) else {
            server.recorder.count { $0.wrongPasswords += 1 }
            return self.form(transaction: id, user: user, message: "The user name or the password is wrong.")
        }
        // The form is consumed only now, so that the user can correct a wrong password, and only by the first of concurrent
        // requests.
        guard state.withLock({ $0.transactions.removeValue(forKey: id) }) != nil
        else { return refusal("This login has ended. Start again.") }
        guard !isDenied else {
            server.recorder.count { $0.denials += 1 }
            return redirect(
                OAuth2Refusal(.accessDenied, "The user denied access."), to: transaction.request.redirectURI,
                state: transaction.request.state)
        }
        let answer = accept(transaction.request, user: user)
        guard server.options.remembersUsers else { return answer }
        let session = server.makeText()
        state.withLock { $0.users[session] = user }
        return answer.settingCookie(userCookie, to: session)
    }

    private func isRight(_ password: String?, for user: String) -> Bool {
        guard let password, let expected = server.options.users[user] else { return false }
        return password.utf8.elementsEqual(expected.utf8)
    }

    private func begin(_ authorization: AuthorizationRequest) -> MockResponse {
        let id = server.makeText()
        let browser = server.makeText()
        let now = server.now
        let transaction = Transaction(request: authorization, browser: browser, expires: now + server.options.loginLifetime)
        state.withLock { state in
            state.transactions = state.transactions.filter { now < $0.value.expires }
            state.transactions[id] = transaction
        }
        return form(transaction: id).settingCookie(browserCookie, to: browser)
    }

    private func form(transaction: String, user: String = "", message: String? = nil) -> MockResponse {
        server.recorder.count { $0.loginForms += 1 }
        return page(
            LoginPages.loginForm(
                action: server.options.paths.login, userField: server.options.userField,
                passwordField: server.options.passwordField, user: user, message: message, fields: [("transaction", transaction)],
                canCancel: true))
    }

    /// Redirects the browser to the client with a code.
    func accept(_ authorization: AuthorizationRequest, user: String) -> MockResponse {
        let code = server.makeCode(for: authorization, user: user)
        return redirect([("code", code)], to: authorization.redirectURI, state: authorization.state)
    }

    private func redirect(_ refusal: OAuth2Refusal, to uri: String, state: String?) -> MockResponse {
        var parameters = [("error", refusal.code.rawValue), ("error_description", refusal.description)]
        if let page = server.options.errorURI { parameters.append(("error_uri", page)) }
        return redirect(parameters, to: uri, state: state)
    }

    /// Redirects the browser with status 303, after which no browser resends the password by POST (RFC 9700, section 4.12).
    private func redirect(_ parameters: [(name: String, value: String)], to uri: String, state: String?) -> MockResponse {
        var parameters = parameters
        if let state { parameters.append(("state", state)) }
        if server.options.sendsIssuer { parameters.append(("iss", server.issuer)) }
        let fault = faults.next(for: ())
        fault?.change(&parameters)
        let location = RedirectURI.adding(parameters, to: uri, asFragment: fault == .fragment)
        return protected(MockResponse(status: .seeOther, fields: [.location: location, .cacheControl: "no-store"]))
    }

    /// Handles a logout request of a client: a query or a form (RP-Initiated Logout 1.0, section 2).
    ///
    /// An ID token of the user ends the user's session at once. Without one, or with that of another user, the user is asked for
    /// confirmation.
    func end(_ request: MockRequest) -> MockResponse {
        let fields: FormFields?
        switch request.method {
        case .get: fields = request.queryFields
        case .post: fields = request.form
        default: return .notAllowed(allow: "GET, POST")
        }
        let hint = fields?["id_token_hint"]
        if hint != nil, request.method == .get { server.recorder.count { $0.logoutHintsInAddresses += 1 } }
        let identity = hint.flatMap { server.openID?.identity(inHint: $0) }
        guard identity != nil || hint == nil else { return refusal("The ID token is not one of this server.") }
        guard let fields, let name = fields["client_id"] ?? identity?.client, identity.map({ $0.client == name }) ?? true,
            let client = server.clientAuthentication.client(name), let uri = fields["post_logout_redirect_uri"],
            client.logoutURIs.contains(where: { $0.utf8.elementsEqual(uri.utf8) })
        else { return refusal("The redirect URL is missing, or not registered for this app.") }
        let cookies = request.cookieValues(userCookie)
        let user = state.withLock { state in cookies.compactMap { state.users[$0] }.first }
        let isHinted = identity.map { user == nil || user == $0.user } ?? false
        if let confirmation = fields["confirmation"] {
            guard state.withLock({ $0.confirmations.remove(confirmation) }) != nil
            else { return refusal("This page was used already. Start again.") }
        } else if !isHinted {
            guard identity != nil || server.openID?.options.requiresLogoutHint != true
            else { return refusal("The app must name the user by an ID token.") }
            return confirmation(of: fields)
        }
        server.recorder.count {
            $0.logouts += 1
            if isHinted, request.method == .post { $0.hintedLogouts += 1 }
        }
        state.withLock { state in
            state.users = state.users.filter { cookie, name in !cookies.contains(cookie) && !(isHinted && name == identity?.user) }
        }
        let state = fields["state"].map { [(name: "state", value: $0)] } ?? []
        return protected(
            MockResponse(
                status: .seeOther, fields: [.location: RedirectURI.adding(state, to: uri), .cacheControl: "no-store"]))
    }

    /// Returns the page on which the user confirms a logout.
    private func confirmation(of fields: FormFields) -> MockResponse {
        let confirmation = server.makeText()
        state.withLock { _ = $0.confirmations.insert(confirmation) }
        var kept: [(name: String, value: String)] = []
        for name in ["client_id", "post_logout_redirect_uri", "logout_hint", "state"] {
            if let value = fields[name] { kept.append((name, value)) }
        }
        kept.append(("confirmation", confirmation))
        return page(LoginPages.confirmation("Log out", action: server.options.paths.end, fields: kept))
    }

    private func refusal(_ text: String) -> MockResponse {
        page(LoginPages.message("Sign-in failed", text), status: .badRequest)
    }

    private func page(_ html: String, status: HTTPResponse.Status = .ok) -> MockResponse {
        protected(.page(html, status: status))
    }

    /// Adds header fields that prevent framing (RFC 9700, section 4.16) and the disclosure of URLs by the referrer (section
    /// 4.2.4).
    private func protected(_ response: MockResponse) -> MockResponse {
        var response = response
        response.fields[.contentSecurityPolicy] = "frame-ancestors 'none'"
        for (name, value) in [("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer")] {
            if let name = HTTPField.Name(name) { response.fields[name] = value }
        }
        return response
    }
}

extension MockCallbackFault {
    /// Applies the fault to the parameters of a redirect.
    fileprivate func change(_ parameters: inout [(name: String, value: String)]) {
        switch self {
        case .values(let name, let values):
            parameters.removeAll { $0.name == name }
            parameters += values.map { (name, $0) }
        case .repeated(let name): parameters += parameters.filter { $0.name == name }
        case .fragment: break
        }
    }
}
