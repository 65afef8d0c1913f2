import Foundation
import HTTPTypes

/// Lets clients register themselves (RFC 7591): public ones, which log users in.
struct RegistrationEndpoint: Sendable {
    let server: AuthorizationServer

    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        guard let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
            let redirects = body["redirect_uris"] as? [String], !redirects.isEmpty
        else { return OAuth2Answer.error("invalid_redirect_uri") }
        guard body["token_endpoint_auth_method"] as? String == "none" else {
            return OAuth2Answer.error("invalid_client_metadata")
        }
        let client = MockOAuth2Client(id: "registered-\(server.makeText().prefix(16))", redirectURIs: redirects)
        server.clientAuthentication.register(client)
        server.recorder.count { $0.registrations += 1 }
        var members = JSONMembers()
        members.set("client_id", to: client.id)
        members.set("redirect_uris", toTexts: redirects)
        members.set("token_endpoint_auth_method", to: "none")
        return OAuth2Answer.json(members, status: .created)
    }
}
