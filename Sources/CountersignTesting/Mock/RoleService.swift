import Foundation
import HTTPTypes

/// Says who the user of a request is, in the form of SCIM (RFC 7643), as SAP Mobile Services documents it.
struct RoleService: Sendable {
    private let pattern: [String]

    /// - Parameter path: With `{id}` where the application's identifier stands, the same in all places.
    init(path: String) { pattern = path.split(separator: "/").map(String.init) }

    /// The answer to a request for its address; `nil` if the address is another.
    ///
    /// - Parameter admit: Looks at the credential of the request.
    func respond(to request: MockRequest, admit: (MockRequest) -> MockAdmission?) -> MockResponse? {
        let segments = request.path.split(separator: "/").map(String.init)
        guard segments.count == pattern.count, zip(segments, pattern).allSatisfy({ $1 == "{id}" || $0 == $1 }) else { return nil }
        guard request.method == .get else { return .notAllowed(allow: "GET") }
        let applications = Set(zip(segments, pattern).filter { $0.1 == "{id}" }.map(\.0))
        switch admit(request) {
        case nil: return .text("no method\n", status: .forbidden)
        case .challenged(let response), .refused(let response): return response
        case .user(let user):
            guard applications.count == 1 else { return .text("no such application\n", status: .notFound) }
            return answer(user)
        }
    }

    private func answer(_ user: String) -> MockResponse {
        let body: [String: Any] = [
            "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
            "id": "id-\(user)", "userName": user,
            "name": ["familyName": "Example", "givenName": user.capitalized],
            "emails": [["value": "\(user)@example.com"]],
            "roles": [["value": "Everyone"], ["value": "Orders"]],
            "detail": ["groups": ["a", "b"]],
        ]
        guard let bytes = try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys]) else {
            return .text("no JSON\n", status: .internalServerError)
        }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(bytes))
    }
}
