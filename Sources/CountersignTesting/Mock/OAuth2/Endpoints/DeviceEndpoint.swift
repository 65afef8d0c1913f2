import HTTPTypes

/// The device authorization endpoint and its verification page for users (RFC 8628, sections 3.1 to 3.3).
struct DeviceEndpoint: Sendable {
    let server: AuthorizationServer

    /// Handles the device authorization request.
    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        do throws(OAuth2Refusal) {
            let parameters = try OAuth2Parameters.posted(by: request)
            let client = try server.clientAuthentication.client(sending: request, with: parameters)
            guard client.grants.contains(.deviceCode)
            else { throw OAuth2Refusal(.unauthorizedClient, "The client may not use this grant.") }
            for (name, value) in server.options.oddities.deviceParameters where parameters[name] != value {
                throw OAuth2Refusal(.invalidRequest, "A required parameter is missing or has another value.")
            }
            let scopes = try server.scopes(named: parameters["scope"]) ?? server.options.scopes
            let codes = server.makeDevice(for: client, scopes: scopes, claims: parameters["claims"])
            let page = server.address + server.options.paths.verify
            var members = JSONMembers()
            members.set("device_code", to: codes.deviceCode)
            members.set("user_code", to: codes.userCode)
            members.set(server.options.oddities.devicePageMember, to: page)
            members.set("verification_uri_complete", to: "\(page)?user_code=\(codes.userCode)")
            members.set("expires_in", toJSON: "\(server.options.deviceCodeLifetime.components.seconds)")
            members.set("interval", toJSON: "\(server.options.deviceInterval.components.seconds)")
            return OAuth2Answer.json(members)
        } catch {
            return OAuth2Answer.refusal(error, by: server)
        }
    }

    /// Handles the verification page and its form.
    func verify(_ request: MockRequest) -> MockResponse {
        switch request.method {
        case .get: return form(code: request.queryFields?["user_code"] ?? "")
        case .post: break
        default: return .notAllowed(allow: "GET, POST")
        }
        guard let form = request.form, let code = form["user_code"] else {
            return .page(LoginPages.message("Not connected", "The form is malformed."), status: .badRequest)
        }
        let isDenied = form[LoginPages.cancelField] != nil
        let user = form[server.options.userField] ?? ""
        let isRight = form[server.options.passwordField].map { server.options.users[user] == $0 } ?? false
        guard isDenied || isRight else {
            server.recorder.count { $0.wrongPasswords += 1 }
            return self.form(code: code, message: "The user name or the password is wrong.")
        }
        guard server.settle(userCode: code, by: isDenied ? nil : user) else {
            return self.form(code: code, message: "No device is waiting with this code.")
        }
        if isDenied { server.recorder.count { $0.denials += 1 } }
        return .page(
            isDenied
                ? LoginPages.message("Not connected", "The device was denied access.")
                : LoginPages.message("Connected", "The device continues automatically; you can close this page."))
    }

    private func form(code: String, message: String? = nil) -> MockResponse {
        server.recorder.count { $0.loginForms += 1 }
        return .page(
            LoginPages.deviceForm(
                action: server.options.paths.verify, code: code, userField: server.options.userField,
                passwordField: server.options.passwordField, message: message))
    }
}
