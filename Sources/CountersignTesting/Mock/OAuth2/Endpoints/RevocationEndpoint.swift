import HTTPTypes

/// The revocation endpoint (RFC 7009).
struct RevocationEndpoint: Sendable {
    let server: AuthorizationServer

    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        do throws(OAuth2Refusal) {
            let parameters = try OAuth2Parameters.posted(by: request)
            let client = try server.clientAuthentication.client(sending: request, with: parameters)
            guard let token = parameters["token"] else { throw OAuth2Refusal(.invalidRequest, "The token is missing.") }
            // `token_type_hint` is ignored: it would only speed up the search (section 2.1).
            try server.revoke(token, by: client)
            return MockResponse(status: .ok, fields: [.cacheControl: "no-store"])
        } catch {
            return OAuth2Answer.refusal(error, by: server)
        }
    }
}
