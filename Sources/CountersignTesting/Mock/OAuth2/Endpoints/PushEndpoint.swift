import HTTPTypes

/// The endpoint of pushed authorization requests (RFC 9126), to which a browser later brings a reference.
struct PushEndpoint: Sendable {
    let server: AuthorizationServer

    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        do throws(OAuth2Refusal) {
            let parameters = try OAuth2Parameters.posted(by: request)
            let client = try server.clientAuthentication.client(sending: request, with: parameters)
            guard parameters["request_uri"] == nil
            else { throw OAuth2Refusal(.invalidRequest, "A pushed request must not contain request_uri.") }
            let key = try server.proofs?.key(provedBy: request, with: nil, at: .authorizationServer)
            if key == nil, server.options.proof?.isRequiredForPushes == true {
                throw OAuth2Refusal(.invalidProof, "The proof of possession is missing.")
            }
            switch AuthorizationRequest.judge(request.form, at: server) {
            case .good(var authorization):
                // A client may push only its own requests.
                guard authorization.client.id == client.id
                else { throw OAuth2Refusal(.invalidRequest, "The request belongs to another client.") }
                // Each binds the code to a key (RFC 9449, section 10.1).
                guard key == nil || authorization.key == nil || key == authorization.key
                else { throw OAuth2Refusal(.invalidProof, "The proof is of another key than dpop_jkt.") }
                authorization.key = key ?? authorization.key
                server.recorder.count { $0.pushes += 1 }
                var members = JSONMembers()
                members.set("request_uri", to: server.keep(authorization))
                members.set("expires_in", toJSON: "\(server.options.pushLifetime.components.seconds)")
                return OAuth2Answer.json(members, status: .created).naming(server.proofs?.nonce(at: .authorizationServer))
            case .shown(let text): throw OAuth2Refusal(.invalidRequest, text)
            case .redirected(let refusal, _, _): throw refusal
            }
        } catch {
            return OAuth2Answer.refusal(error, by: server)
        }
    }
}
