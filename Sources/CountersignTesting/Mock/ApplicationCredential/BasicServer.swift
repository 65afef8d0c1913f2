import Countersign
import Foundation
import HTTPTypes
import Synchronization

/// Protects resources by HTTP Basic (RFC 7617), with a realm for each part of the site and separate users for each realm.
struct BasicServer: MethodServer {
    let name: String
    let usesCookies = false
    let serviceProviderCookies: Set<String> = []
    let identityProviderCookies: Set<String> = []
    private let options: MockBasicOptions
    private let users: [String: String]
    private let recorder: MockRecorder

    /// Creates the server for a method; `nil` if the method has another kind of credential.
    init?(_ method: MethodDescription, options: MockOptions, recorder: MockRecorder) {
        guard method.credential == .basic else { return nil }
        name = method.name
        self.options = options.basic
        users = options.users
        self.recorder = recorder
    }

    func serviceProviderPage(for request: MockRequest) async -> MockResponse? { nil }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }

    func admit(_ request: MockRequest) -> MockAdmission {
        let realm = options.realm(of: request.path)
        guard request.fields[values: .authorization].count == 1, let sent = request.basicCredentials,
            let expected = (options.users[realm] ?? users)[sent.user], expected.utf8.elementsEqual(sent.password.utf8)
        else { return .challenged(challenge(realm)) }
        return .user(sent.user)
    }

    func noteRefusal(of request: MockRequest) {
        // A token of another method is no wrong password.
        let fields = request.fields[values: .authorization]
        guard fields.count == 1, fields[0].lowercased().hasPrefix("basic ") else { return }
        recorder.count { $0.wrongPasswords += 1 }
    }

    func challenge() -> MockResponse { challenge(options.realm) }
    func endSession(of request: MockRequest) -> Bool { false }
    func endAllSessions() {}

    private func challenge(_ realm: String) -> MockResponse {
        var response = MockResponse.text("no access\n", status: .unauthorized)
        let quoted = realm.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        response.fields[.wwwAuthenticate] = "Basic realm=\"\(quoted)\", charset=\"UTF-8\""
        return response
    }
}
