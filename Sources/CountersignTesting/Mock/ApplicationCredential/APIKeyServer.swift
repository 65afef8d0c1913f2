import Countersign
import HTTPTypes

/// Protects resources by a key in a header field. A missing key is answered with status 401, a wrong one with 403.
struct APIKeyServer: MethodServer {
    let name: String
    let usesCookies = false
    let serviceProviderCookies: Set<String> = []
    let identityProviderCookies: Set<String> = []
    private let field: HTTPField.Name
    private let keys: [String]
    private let allowsAnonymous: Bool
    private let recorder: MockRecorder

    /// Creates the server for a method; `nil` if the method has another kind of credential.
    init?(_ method: MethodDescription, options: MockOptions, rules: ServerRules, recorder: MockRecorder) {
        guard method.credential == .apiKey,
            let field = (rules.apiKeyField ?? method.credentialField).flatMap({ HTTPField.Name($0) })
        else { return nil }
        name = method.name
        self.field = field
        keys = options.apiKeys
        allowsAnonymous = options.allowsAnonymousAccess
        self.recorder = recorder
    }

    func serviceProviderPage(for request: MockRequest) async -> MockResponse? { nil }
    func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }

    func admit(_ request: MockRequest) -> MockAdmission {
        let sent = request.fields[values: field]
        guard let key = sent.first, sent.count == 1 else {
            return sent.isEmpty && allowsAnonymous ? .user("anonymous") : .challenged(challenge())
        }
        if keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { return .user("application") }
        recorder.count { $0.wrongKeys += 1 }
        return .challenged(.text("the key is not known\n", status: .forbidden))
    }

    func challenge() -> MockResponse { .text("there is no key\n", status: .unauthorized) }
    func endSession(of request: MockRequest) -> Bool { false }
    func endAllSessions() {}
}
