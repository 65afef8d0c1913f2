import Foundation
import HTTPTypes

/// The token endpoint, which issues tokens for all grants of the server (RFC 6749, sections 4.1.3, 4.4.2 and 6).
struct TokenEndpoint: Sendable {
    let server: AuthorizationServer
    let faults: FaultQueue<MockOAuth2Client.Grant?, MockTokenFault>

    func respond(to request: MockRequest) async -> MockResponse {
        let grant = request.form?["grant_type"].flatMap(MockOAuth2Client.Grant.init)
        if let grant { server.recorder.count { $0.tokenRequests[grant, default: 0] += 1 } }
        guard let fault = faults.next(for: grant) else { return answer(to: request) { _ in } }
        if let response = fault.response { return response }
        var response = answer(to: request, change: fault.change)
        switch fault {
        case .delay(let duration): try? await Task.sleep(for: duration)
        case .lostAnswer: response.delivery = .reset
        case .truncatedBody: response.delivery = .truncated
        case .hugeToken(let bytes): response.delivery = .inflated(at: tokenPlace(in: response), by: bytes)
        default: break
        }
        return response
    }

    private func answer(to request: MockRequest, change: (inout JSONMembers) -> Void) -> MockResponse {
        guard request.method == .post else { return OAuth2Answer.notAllowed() }
        do throws(OAuth2Refusal) {
            let parameters = try OAuth2Parameters.posted(by: request)
            let client = try server.clientAuthentication.client(sending: request, with: parameters)
            for (name, value) in server.options.requiredTokenParameters where parameters[name] != value {
                throw OAuth2Refusal(.invalidRequest, "A required parameter is missing or has another value.")
            }
            if let resource = server.openID?.resourceIdentifier, parameters["resource"] != resource {
                throw OAuth2Refusal(.invalidTarget, "The resource parameter is missing or names another resource.")
            }
            guard let type = parameters["grant_type"] else { throw OAuth2Refusal(.invalidRequest, "The grant type is missing.") }
            guard let grant = MockOAuth2Client.Grant(rawValue: type)
            else { throw OAuth2Refusal(.unsupportedGrantType, "The grant type is not supported.") }
            let key = try server.proofs?.key(provedBy: request, with: nil, at: .authorizationServer)
            if key == nil, server.options.proof?.isRequired == true {
                throw OAuth2Refusal(.invalidProof, "The proof of possession is missing.")
            }
            let issue = try server.issue(grant, for: parameters, to: client, provedBy: key)
            server.recorder.count { $0.tokenAnswers[grant, default: 0] += 1 }
            var members = members(of: issue, to: grant)
            change(&members)
            let answer = server.options.oddities.answersInForms ? OAuth2Answer.form(members) : OAuth2Answer.json(members)
            return answer.naming(server.proofs?.nonce(at: .authorizationServer))
        } catch {
            var answer = OAuth2Answer.refusal(error, by: server)
            if error.code == .invalidGrant, request.form?["grant_type"] == MockOAuth2Client.Grant.refreshToken.rawValue,
                server.options.oddities.refreshRefusal != error.code.rawValue
            {
                answer = OAuth2Answer.error(server.options.oddities.refreshRefusal)
            }
            if server.options.oddities.refusesWithStatus200 { answer.status = .ok }
            return answer
        }
    }

    private func members(of issue: TokenLedger.Issue, to grant: MockOAuth2Client.Grant) -> JSONMembers {
        var members = JSONMembers()
        members.set("access_token", to: issue.accessToken)
        members.set("token_type", to: issue.family?.key == nil ? server.options.tokenType : "DPoP")
        if grant == .tokenExchange { members.set("issued_token_type", to: TokenLedger.accessTokenType) }
        if server.options.announcesLifetime {
            members.set("expires_in", toJSON: "\(server.options.accessTokenLifetime.components.seconds)")
        }
        if let token = issue.refreshToken { members.set("refresh_token", to: token) }
        members.set("scope", to: issue.scopes.joined(separator: " "))
        if issue.scopes.contains("openid"), let family = issue.family, let user = family.user, let provider = server.openID,
            let token = provider.token(
                for: user, client: family.clientID, nonce: grant == .authorizationCode ? family.nonce : nil,
                accessToken: issue.accessToken, now: Date())
        {
            members.set("id_token", to: token)
        }
        return members
    }

    /// Returns the offset of the access token, which is the first member, or of the code in an error response.
    private func tokenPlace(in response: MockResponse) -> Int {
        (response.body.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 2
    }
}

extension MockTokenFault {
    /// The response of a fault that prevents the processing of the request; `nil` for other faults.
    fileprivate var response: MockResponse? {
        switch self {
        case .status(let code, let retryAfter):
            var response = MockResponse.text("injected\n", status: HTTPResponse.Status(code: code))
            if let retryAfter { response.fields[.retryAfter] = retryAfter }
            return response
        case .error(let code, let status): return OAuth2Answer.error(code, status: HTTPResponse.Status(code: status))
        case .html: return .page(LoginPages.message("Network sign-in", "Sign in to use this network."))
        case .redirect(let status, let location):
            return MockResponse(
                status: HTTPResponse.Status(code: status), fields: [.location: location, .cacheControl: "no-store"])
        case .connectionReset:
            var response = MockResponse(status: .ok)
            response.delivery = .reset
            return response
        case .lostAnswer, .truncatedBody, .hugeToken, .members, .delay: return nil
        }
    }

    /// Applies the fault to the members of a response.
    fileprivate func change(_ members: inout JSONMembers) {
        guard case .members(let changes) = self else { return }
        for (name, json) in changes.sorted(by: { $0.key < $1.key }) { members.set(name, toJSON: json) }
    }
}
