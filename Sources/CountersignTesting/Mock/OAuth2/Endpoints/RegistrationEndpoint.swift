import Foundation
import HTTPTypes

/// The dynamic registration of clients with redirect URIs (RFC 7591). A client receives a secret unless its method is `none`.
struct RegistrationEndpoint: Sendable {
    let server: AuthorizationServer

    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        guard let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
            let redirects = body["redirect_uris"] as? [String], !redirects.isEmpty
        else { return OAuth2Answer.error("invalid_redirect_uri") }
        // The default of RFC 7591, section 2.
        let method = body["token_endpoint_auth_method"] as? String ?? "client_secret_basic"
        guard (server.openID?.options.authenticationMethods ?? ["none"]).contains(method) else {
            return OAuth2Answer.error("invalid_client_metadata")
        }
        let grants = (body["grant_types"] as? [String] ?? ["authorization_code"]).compactMap(MockOAuth2Client.Grant.init)
        let client = MockOAuth2Client(
            id: "registered-\(server.makeText().prefix(16))", secret: method == "none" ? nil : server.makeText(),
            redirectURIs: redirects, grants: Set(grants), authentications: [method == "client_secret_post" ? .body : .basic])
        server.clientAuthentication.register(client)
        server.recorder.count { $0.registrations += 1 }
        var members = JSONMembers()
        members.set("client_id", to: client.id)
        members.set("redirect_uris", toTexts: redirects)
        if let secret = client.secret { members.set("client_secret", to: secret) }
        members.set("token_endpoint_auth_method", to: method)
        return OAuth2Answer.json(members, status: .created)
    }
}
