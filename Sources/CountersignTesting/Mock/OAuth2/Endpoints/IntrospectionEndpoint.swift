import Crypto
import Foundation
import HTTPTypes

/// The introspection endpoint (RFC 7662), which describes a token to a service that received it.
struct IntrospectionEndpoint: Sendable {
    let server: AuthorizationServer
    let faults: FaultQueue<Void, MockIntrospectionFault>

    func respond(to request: MockRequest) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        let fault = faults.next(for: ())
        switch fault {
        case .introspectionStatus(let status): return .text("injected\n", status: HTTPResponse.Status(code: status))
        case .introspectionBody(let text):
            return MockResponse(
                status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(text.utf8))
        case .introspection, nil: break
        }
        do throws(OAuth2Refusal) {
            let parameters = try OAuth2Parameters.posted(by: request)
            let client = try server.clientAuthentication.client(sending: request, with: parameters)
            // Without client authentication, anyone could probe for valid tokens (section 2.1).
            guard client.secret != nil || client.key != nil || client.certificate != nil
            else { throw OAuth2Refusal(.invalidClient, "A public client may not introspect tokens.") }
            guard let token = parameters["token"] else { throw OAuth2Refusal(.invalidRequest, "The token is missing.") }
            // `token_type_hint` is ignored: it would only speed up the search (section 2.1).
            server.recorder.count { $0.introspections += 1 }
            var members = members(of: server.introspect(token), now: Date())
            if case .introspection(let changes)? = fault {
                for (name, json) in changes.sorted(by: { $0.key < $1.key }) { members.set(name, toJSON: json) }
            }
            return OAuth2Answer.json(members)
        } catch {
            return OAuth2Answer.refusal(error, by: server)
        }
    }

    /// Returns the members of the response, which contains only `active` if the token is not active (section 2.2).
    private func members(of token: TokenLedger.Introspection?, now: Date) -> JSONMembers {
        var members = JSONMembers()
        members.set("active", toJSON: token == nil ? "false" : "true")
        guard let token else { return members }
        let family = token.family
        members.set("scope", to: token.scopes.joined(separator: " "))
        members.set("client_id", to: family.clientID)
        if let user = family.user { members.set("username", to: user) }
        members.set("sub", to: family.user ?? family.clientID)
        members.set("iss", to: server.issuer)
        members.set("aud", toTexts: [server.openID?.resourceIdentifier ?? server.address])
        let age = token.age ?? .zero
        let issued = Int(now.timeIntervalSince1970) - Int(age.components.seconds)
        if token.age != nil { members.set("iat", toJSON: "\(issued)") }
        if let life = token.life { members.set("exp", toJSON: "\(issued + Int((age + life).components.seconds))") }
        guard token.isAccessToken else { return members }
        members.set("token_type", to: family.key == nil ? server.options.tokenType : "DPoP")
        var confirmation = JSONMembers()
        // RFC 9449, section 6.2.
        if let key = family.key { confirmation.set("jkt", to: key) }
        // RFC 8705, section 3.2.
        if let certificate = family.certificate {
            confirmation.set("x5t#S256", to: SignedToken.text(Data(SHA256.hash(data: Data(certificate)))))
        }
        if family.key != nil || family.certificate != nil { members.set("cnf", toJSON: confirmation.text) }
        return members
    }
}
