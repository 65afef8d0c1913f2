internal import CountersignTesting
internal import Foundation
internal import HTTPTypes

/// The options of the role service.
struct RoleServiceOptions: MockServiceOptions {
    /// The path, with `{id}` for the application's identifier, which must be the same in all places.
    let path: String

    func makeService(in context: MockServiceContext) -> (any MockService)? {
        RoleService(path: path, methods: context.methods, recorder: context.recorder)
    }
}

/// The role service, which returns the user of a request in SCIM format (RFC 7643), as documented for SAP Mobile Services. It
/// accepts the credential of any method.
struct RoleService: MockService {
    private let pattern: [String]
    private let methods: MethodServers
    private let recorder: MockRecorder

    init(path: String, methods: MethodServers, recorder: MockRecorder) {
        pattern = path.split(separator: "/").map(String.init)
        self.methods = methods
        self.recorder = recorder
    }

    func serviceProviderPage(for request: MockRequest) -> MockResponse? {
        let segments = request.path.split(separator: "/").map(String.init)
        guard segments.count == pattern.count else { return nil }
        var applications: Set<String> = []
        for (segment, expected) in zip(segments, pattern) {
            if expected == "{id}" { applications.insert(segment) } else if segment != expected { return nil }
        }
        guard request.method == .get else { return .notAllowed(allow: "GET") }
        let admission = methods.admit(request)
        if case .user(let user)? = admission {
            guard applications.count == 1 else { return .text("no such application\n", status: .notFound) }
            return answer(user)
        }
        recorder.count { $0.challenges += 1 }
        switch admission {
        case .challenged(let response)?, .refused(let response)?: return response
        default: return .text("no authentication method\n", status: .forbidden)
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
            return .text("cannot encode JSON\n", status: .internalServerError)
        }
        return MockResponse(
            status: .ok, fields: [.contentType: "application/json", .cacheControl: "no-store"], body: Array(bytes))
    }
}
