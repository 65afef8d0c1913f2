import Foundation
import HTTPTypes

/// The responses of the token, revocation and introspection endpoints: JSON that must not be cached (RFC 6749, sections 5.1 and
/// 5.2).
enum OAuth2Answer {
    /// Returns a JSON object.
    static func json(_ members: JSONMembers, status: HTTPResponse.Status = .ok) -> MockResponse {
        var fields: HTTPFields = [.contentType: "application/json;charset=UTF-8", .cacheControl: "no-store"]
        if let pragma = HTTPField.Name("Pragma") { fields[pragma] = "no-cache" }
        return MockResponse(status: status, fields: fields, body: members.text.utf8)
    }

    /// Returns the members as a form. Values other than strings are converted to text.
    static func form(_ members: JSONMembers) -> MockResponse {
        let object = (try? JSONSerialization.jsonObject(with: Data(members.text.utf8))) as? [String: Any] ?? [:]
        let pairs = object.sorted { $0.key < $1.key }.map { (name: $0.key, value: "\($0.value)") }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/x-www-form-urlencoded; charset=utf-8", .cacheControl: "no-store"],
            body: FormFields.encode(pairs).utf8)
    }

    /// Returns an error response with a code of the protocol or of a fault.
    static func error(
        _ code: String, description: String? = nil, uri: String? = nil, status: HTTPResponse.Status = .badRequest
    ) -> MockResponse {
        var members = JSONMembers()
        members.set("error", to: code)
        if let description { members.set("error_description", to: description) }
        if let uri { members.set("error_uri", to: uri) }
        return json(members, status: status)
    }

    /// Returns the response for a refusal. If client authentication failed, it contains a challenge (RFC 7617, section 2).
    static func refusal(_ refusal: OAuth2Refusal, by server: AuthorizationServer) -> MockResponse {
        server.recorder.count { statistics in
            statistics.refusals[refusal.code.rawValue, default: 0] += 1
            switch refusal.reuse {
            case .code: statistics.codeReuses += 1
            case .refreshToken: statistics.refreshTokenReuses += 1
            case nil: break
            }
        }
        let isUnauthenticated = refusal.code == .invalidClient
        var response = error(
            refusal.code.rawValue, description: refusal.description, uri: server.options.errorURI,
            status: isUnauthenticated ? .unauthorized : .badRequest)
        if isUnauthenticated { response.fields[.wwwAuthenticate] = "Basic realm=\"mock\", charset=\"UTF-8\"" }
        return refusal.code == .useNonce ? response.naming(server.proofs?.nonce(at: .authorizationServer)) : response
    }

    /// Returns the response to a method other than POST (RFC 6749, section 3.2).
    static func notAllowed() -> MockResponse {
        var response = error("invalid_request", description: "The method must be POST.", status: .methodNotAllowed)
        response.fields[.allow] = "POST"
        return response
    }
}
