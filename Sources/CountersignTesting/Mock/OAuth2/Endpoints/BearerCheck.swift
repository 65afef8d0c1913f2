import Foundation
import HTTPTypes

/// Protects resources by checking the access token of a request (RFC 6750).
package struct BearerCheck: Sendable {
    /// The user of a request, or the response that refuses it.
    package enum Decision: Sendable {
        case user(String)
        case refused(MockResponse)
    }

    let server: AuthorizationServer
    /// The response to a request without a valid token, if the landscape has its own.
    let template: MockResponse?

    /// Creates a check for the resources of a server.
    package init(server: AuthorizationServer, template: MockResponse?) {
        self.server = server
        self.template = template
    }

    /// Decides on a request for a resource.
    package func decide(on request: MockRequest) -> Decision {
        if let refusal = checkPlace(of: request) { return .refused(refusal) }
        guard let token = token(of: request) else { return .refused(challenge()) }
        switch server.judge(token) {
        case .bad(let reason): return .refused(challenge(error: "invalid_token", reason))
        case .good(let user, let scopes):
            if let bound = server.certificate(of: token), bound != request.certificate {
                return .refused(challenge(error: "invalid_token", "The token is bound to another certificate."))
            }
            if let refusal = checkProof(of: request, with: token) { return .refused(refusal) }
            if let requirement = requirement(for: request.path), !server.hasAuthenticated(token, as: requirement) {
                server.recorder.count { $0.authenticationRefusals += 1 }
                return .refused(
                    refusal(
                        .unauthorized, error: "insufficient_user_authentication", "The user's authentication is insufficient.",
                        requirement.parameters, isProved: isProved(request)))
            }
            if let claims = Self.closest(server.options.oddities.claims, to: request.path), !server.hasClaims(claims, token) {
                server.recorder.count { $0.authenticationRefusals += 1 }
                return .refused(
                    refusal(
                        .unauthorized, error: "insufficient_claims", "The token does not have the required claims.",
                        [("claims", Data(claims.utf8).base64EncodedString())]))
            }
            if let path = server.options.oddities.insatiablePath, request.path.hasPrefix(path) {
                server.recorder.count { $0.scopeRefusals += 1 }
                return .refused(
                    refusal(.forbidden, error: "insufficient_scope", "The token's scope is insufficient.", [("scope", "write")]))
            }
            guard let required = requiredScope(for: request.path), !scopes.contains(required) else { return .user(user) }
            server.recorder.count { $0.scopeRefusals += 1 }
            return .refused(
                refusal(
                    .forbidden, error: "insufficient_scope", "The token's scope is insufficient.", [("scope", required)],
                    isProved: isProved(request)))
        }
    }

    /// Returns the token in the `Authorization` field; `nil` if there is none or another scheme.
    func token(of request: MockRequest) -> String? {
        let credentials = request.fields[values: .authorization]
        guard credentials.count == 1, let credential = credentials.first else { return nil }
        let parts = credential.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" || server.proofs != nil && isProved(request) else { return nil }
        return String(parts[1])
    }

    /// Whether the token is sent with the `DPoP` scheme.
    private func isProved(_ request: MockRequest) -> Bool {
        request.fields[values: .authorization].first?.lowercased().hasPrefix("dpop ") == true
    }

    /// Checks the proof of possession (RFC 9449, section 7.1), and returns the response that refuses the request; `nil` if the
    /// proof is valid or not required.
    private func checkProof(of request: MockRequest, with token: String) -> MockResponse? {
        guard let proofs = server.proofs else { return nil }
        let bound = server.key(of: token)
        guard bound != nil || isProved(request) else { return nil }
        do throws(OAuth2Refusal) {
            let key = try proofs.key(provedBy: request, with: token, at: .resources)
            guard let key, key == bound, isProved(request) else {
                server.recorder.count { $0.challenges += 1 }
                return refusal(
                    .unauthorized, error: "invalid_token", "The request does not prove possession of the token's key.",
                    isProved: true)
            }
            return nil
        } catch {
            server.recorder.count { $0.challenges += 1 }
            let answer = refusal(.unauthorized, error: error.code.rawValue, error.description, isProved: true)
            return error.code == .useNonce ? answer.naming(proofs.nonce(at: .resources)) : answer
        }
    }

    /// Returns the response to a request without a valid token, in the form of the landscape. It has no error code if the request
    /// had no token at all (RFC 6750, section 3.1).
    func challenge(error: String? = nil, _ description: String = "") -> MockResponse {
        server.recorder.count { $0.challenges += 1 }
        if let template { return template }
        switch server.options.challenge {
        case .bearer:
            return refusal(.unauthorized, error: error, description, isProved: server.options.proof?.isRequired == true)
        case .response(let known): return response(known)
        }
    }

    /// Checks that the token is sent in a single `Authorization` field: not in the URL, which is logged (RFC 9700, section
    /// 4.3.2), and not in two places.
    private func checkPlace(of request: MockRequest) -> MockResponse? {
        let isInAddress = request.queryFields?.pairs.contains { $0.name == "access_token" } ?? false
        if isInAddress { server.recorder.count { $0.tokensInAddresses += 1 } }
        guard isInAddress || request.fields[values: .authorization].count > 1 else { return nil }
        return refusal(.badRequest, error: "invalid_request", "The access token must be sent once, in the Authorization field.")
    }

    private func requiredScope(for path: String) -> String? { Self.closest(server.options.requiredScopes, to: path) }

    private func requirement(for path: String) -> MockAuthenticationRequirement? {
        Self.closest(server.options.requiredAuthentications, to: path)
    }

    /// Returns the value for the longest matching prefix of a path.
    private static func closest<Value>(_ values: [String: Value], to path: String) -> Value? {
        values.filter { path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }?.value
    }

    private func refusal(
        _ status: HTTPResponse.Status, error: String?, _ description: String,
        _ wanted: [(String, String)] = [], isProved: Bool = false
    ) -> MockResponse {
        var parameters = [("realm", "mock")]
        if let error {
            parameters += [("error", error), ("error_description", description)]
            if let page = server.options.errorURI { parameters.append(("error_uri", page)) }
        }
        parameters += wanted
        if error == nil, let scope = server.options.protectedResource?.challengedScope { parameters.append(("scope", scope)) }
        if let place = server.openID?.resourceMetadataURL { parameters.append(("resource_metadata", place)) }
        var response = MockResponse.text("no access\n", status: status)
        if isProved { parameters.append(("algs", "ES256")) }
        response.fields[.wwwAuthenticate] =
            (isProved ? "DPoP " : "Bearer ") + parameters.map { "\($0)=\"\($1)\"" }.joined(separator: ", ")
        return response
    }

    private func response(_ known: ServerRules.Challenge) -> MockResponse {
        var response = MockResponse.text("no access\n", status: HTTPResponse.Status(code: known.status))
        for (name, value) in known.fields {
            if let name = HTTPField.Name(name) { response.fields[name] = value }
        }
        return response
    }
}

extension MockAuthenticationRequirement {
    /// The parameters of a challenge (RFC 9470, section 3).
    fileprivate var parameters: [(String, String)] {
        [acr.map { ("acr_values", $0) }, maxAge.map { ("max_age", "\($0.components.seconds)") }].compactMap(\.self)
    }
}
