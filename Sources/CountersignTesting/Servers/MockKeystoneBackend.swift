import Foundation
import HTTPTypes
import Synchronization

/// Answers requests to both servers of a mock cloud.
final class MockKeystoneBackend: Sendable {
    struct State {
        var identityURL = ""
        var tokens: [String: Proof] = [:]
        var receipts: [String: Proof] = [:]
        var statistics = MockKeystone.Statistics()
        var requests: [ReceivedRequest] = []
    }

    /// The login of a token or a receipt.
    struct Proof {
        let user: String
        let methods: Set<String>
        let expires: Date
    }

    /// The TOTP secret of a user is not Base32 (RFC 4648, section 6).
    struct InvalidSecret: Error, CustomStringConvertible {
        let user: String

        var description: String { "The TOTP secret of '\(user)' is not Base32." }
    }

    private static let domain = "Default"

    let gates = MockGates()
    let state = Mutex(State())
    let passcodes: [String: TimeBasedPasscode]
    private let users: [String: String]
    private let projects: Set<String>
    private let lifetime: Duration

    /// - Throws: ``InvalidSecret`` for a secret that is not Base32.
    init(users: [String: String], totpSecrets: [String: String], projects: Set<String>, lifetime: Duration) throws {
        self.users = users
        self.projects = projects
        self.lifetime = lifetime
        passcodes = try Dictionary(
            uniqueKeysWithValues: totpSecrets.map { user, secret in
                guard let passcode = TimeBasedPasscode(base32: secret) else { throw InvalidSecret(user: user) }
                return (user, passcode)
            })
    }

    /// Answers a request to the Identity service, which also has resources.
    func identify(_ request: MockRequest) async -> MockResponse {
        guard request.path == "/v3/auth/tokens" else { return await serve(request) }
        return state.withLock { state in
            state.requests.append(ReceivedRequest(request))
            switch request.method {
            case .post: return issue(request, &state)
            case .delete: return revoke(request, &state)
            default: return .notAllowed(allow: "DELETE, POST")
            }
        }
    }

    /// Answers a request for a resource.
    func serve(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            state.requests.append(ReceivedRequest(request))
            state.statistics.sends += 1
            guard isGood(request.fields[.authToken], state) else {
                state.statistics.challenges += 1
                return unauthorized(state)
            }
            state.statistics.answered += 1
            return .text("data\n", status: .ok)
        }
    }

    // MARK: Tokens

    private func issue(_ request: MockRequest, _ state: inout State) -> MockResponse {
        state.statistics.tokenRequests += 1
        guard let login = request.json(MockKeystoneLogin.self)?.auth else {
            state.statistics.refusals += 1
            return error(.badRequest, "The request is not JSON that describes a login.")
        }
        let now = Date()
        guard mayBeScope(login.scope), let user = user(of: login.identity, at: now) else { return refuse(&state) }
        var methods = Set(login.identity.methods)
        if let id = request.fields[.authReceipt] {
            guard let receipt = state.receipts[id], receipt.user == user, receipt.expires > now else { return refuse(&state) }
            methods.formUnion(receipt.methods)
        }
        let wanted: Set = ["password", "totp"]
        guard passcodes[user] == nil || methods.isSuperset(of: wanted) else {
            let receipt = Proof(user: user, methods: methods, expires: Self.end(of: .seconds(300), from: now))
            let id = Self.makeIdentifier()
            state.receipts[id] = receipt
            state.statistics.receipts += 1
            return Self.json(
                ["receipt": describe(receipt, issued: now), "required_auth_methods": [wanted.sorted()]], status: .unauthorized,
                [.authReceipt: id])
        }
        let token = Proof(user: user, methods: methods, expires: Self.end(of: lifetime, from: now))
        let id = Self.makeIdentifier()
        state.tokens[id] = token
        state.statistics.logins += 1
        var description = describe(token, issued: now)
        if let project = login.scope?.project.name {
            description["project"] = ["id": "id-\(project)", "name": project, "domain": Self.domainDescription] as [String: Any]
        }
        return Self.json(["token": description], status: .created, [.subjectToken: id])
    }

    private func revoke(_ request: MockRequest, _ state: inout State) -> MockResponse {
        guard isGood(request.fields[.authToken], state) else { return unauthorized(state) }
        guard let subject = request.fields[.subjectToken], state.tokens.removeValue(forKey: subject) != nil else {
            return error(.notFound, "Could not find the token.")
        }
        state.statistics.revocations += 1
        return MockResponse(status: .noContent)
    }

    private func isGood(_ token: String?, _ state: State) -> Bool {
        token.flatMap { state.tokens[$0] }.map { $0.expires > Date() } ?? false
    }

    /// Returns the user that all methods of a login authenticate; `nil` if one fails or belongs to another user.
    private func user(of identity: MockKeystoneLogin.Identity, at date: Date) -> String? {
        var names: Set<String> = []
        for method in identity.methods {
            guard let user = method == "password" ? identity.password?.user : identity.totp?.user, user.domain.name == Self.domain
            else { return nil }
            switch method {
            case "password": guard let password = users[user.name], password == user.password else { return nil }
            case "totp": guard isPasscode(user.passcode, of: user.name, at: date) else { return nil }
            default: return nil
            }
            names.insert(user.name)
        }
        return names.count == 1 ? names.first : nil
    }

    /// Whether a passcode is the current or the previous one of a user.
    private func isPasscode(_ code: String?, of user: String, at date: Date) -> Bool {
        guard let passcode = passcodes[user] else { return false }
        return [date, date - 30].contains { passcode.code(at: $0) == code }
    }

    private func mayBeScope(_ scope: MockKeystoneLogin.Scope?) -> Bool {
        guard let project = scope?.project else { return true }
        return project.domain.name == Self.domain && projects.contains(project.name)
    }

    // MARK: Answers

    private func refuse(_ state: inout State) -> MockResponse {
        state.statistics.refusals += 1
        return unauthorized(state)
    }

    private func unauthorized(_ state: State) -> MockResponse {
        error(
            .unauthorized, "The request you have made requires authentication.",
            [.wwwAuthenticate: "Keystone uri=\"\(state.identityURL)\""])
    }

    private func error(_ status: HTTPResponse.Status, _ message: String, _ fields: HTTPFields = [:]) -> MockResponse {
        let members: [String: Any] = ["code": status.code, "message": message, "title": status.reasonPhrase]
        return Self.json(["error": members], status: status, fields)
    }

    private func describe(_ proof: Proof, issued: Date) -> [String: Any] {
        [
            "methods": proof.methods.sorted(), "expires_at": Self.text(proof.expires), "issued_at": Self.text(issued),
            "user": ["id": "id-\(proof.user)", "name": proof.user, "domain": Self.domainDescription] as [String: Any],
        ]
    }

    private static var domainDescription: [String: String] { ["id": "default", "name": domain] }

    private static func json(_ members: [String: Any], status: HTTPResponse.Status, _ fields: HTTPFields) -> MockResponse {
        guard let body = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        else {
            return .text("cannot encode JSON\n", status: .internalServerError)
        }
        var response = MockResponse(status: status, fields: fields, body: body)
        response.fields[.contentType] = "application/json"
        return response
    }

    /// Formats a date like Keystone, which truncates to seconds but writes six fractional digits.
    private static func text(_ date: Date) -> String {
        let second = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
        return "\(second.ISO8601Format().dropLast()).000000Z"
    }

    /// Returns the end of a lifetime, truncated to seconds.
    private static func end(of lifetime: Duration, from date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 + lifetime / .seconds(1)).rounded(.down))
    }

    /// Returns an identifier of the length of Keystone's tokens.
    private static func makeIdentifier() -> String { "gAAAAAB" + (0..<5).map { _ in Token.make() }.joined() }
}

extension TimeBasedPasscode {
    /// - Parameter text: The key in Base32 (RFC 4648, section 6). Remaining bits are ignored.
    fileprivate init?(base32 text: String) {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for character in text where character != "=" {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            bits = (bits << 5 | digit) & 0xFFFF
            count += 5
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        self.init(secret: bytes)
    }
}

extension HTTPField.Name {
    fileprivate static let authToken = HTTPField.Name(constant: "X-Auth-Token")
    fileprivate static let subjectToken = HTTPField.Name(constant: "X-Subject-Token")
    fileprivate static let authReceipt = HTTPField.Name(constant: "Openstack-Auth-Receipt")
}
