internal import Crypto
public import Foundation
import HTTPTypes
import Synchronization

/// An object service and the Security Token Service, with requests signed by AWS Signature Version 4, written from Amazon's
/// documentation of the signature and of error responses.
///
/// All parts of a signature are verified: key, session token, scope, time, signed header fields, and hash of the body. Invalid
/// requests are refused like in the services: with status 403 or 400, a code in XML, and no HTTP challenge.
public final class MockAmazonWebServices: Sendable {
    /// The counts of the services.
    public struct Statistics: Sendable, Hashable {
        /// Requests that were refused.
        public var refused = 0
        /// Requests for objects that were answered.
        public var answered = 0
        /// Issued keys of the role.
        public var roles = 0
        /// All requests for objects and for keys.
        public var sends = 0

        /// Creates counts.
        public init(refused: Int = 0, answered: Int = 0, roles: Int = 0, sends: Int = 0) {
            self.refused = refused
            self.answered = answered
            self.roles = roles
            self.sends = sends
        }
    }

    /// The identifier of the access key.
    public static let accessKeyID = "AKIDMOCKEXAMPLE"
    /// The secret access key.
    public static let secretAccessKey = "wJalrMOCK+secret/access/key"
    /// The role that the key may assume.
    public static let role = "arn:aws:iam::123456789012:role/mock"
    /// The region in signatures.
    public static let region = "eu-mock-1"
    /// The service in signatures for objects.
    public static let service = "s3"

    /// The URL of both services.
    public let url: URL
    private let backend: Backend

    /// Starts the services, runs `body` with them, and stops them.
    ///
    /// - Parameters:
    ///   - lifetime: The lifetime of the role's keys in seconds.
    ///   - body: The code that uses the services.
    public static func run<Result>(
        lifetime: Int = 3_600, _ body: (MockAmazonWebServices) async throws -> Result
    ) async throws -> Result {
        let backend = Backend(lifetime: lifetime)
        return try await MockServer.run(with: backend.gates, answer: { await backend.answer($0) }) { url in
            try await body(MockAmazonWebServices(url: url, backend: backend))
        }
    }

    private init(url: URL, backend: Backend) {
        self.url = url
        self.backend = backend
    }

    /// The counts since the start or the last reset.
    public var statistics: Statistics { backend.state.withLock { $0.statistics } }

    /// Resets all counts to zero.
    public func resetStatistics() { backend.state.withLock { $0.statistics = Statistics() } }

    /// Expires all issued keys of the role.
    public func expireRoles() { backend.state.withLock { $0.expired.formUnion($0.temporary.keys) } }

    /// Sets the services' clock ahead of this machine's. The `Date` of responses is not changed, since the HTTP server writes it.
    public func setClock(aheadBy seconds: Int) { backend.state.withLock { $0.ahead = seconds } }

    /// Holds requests for objects back until a number of them has arrived.
    public func hold(until count: Int, limit: Duration = .seconds(30)) -> MockGate {
        backend.gates.hold(.prefix("/objects"), until: count, limit: limit)
    }
}

/// Answers requests.
private final class Backend: Sendable {
    struct State {
        /// The secret keys and session tokens of temporary keys, by their identifiers.
        var temporary: [String: (secret: String, token: String)] = [:]
        var expired: Set<String> = []
        var ahead = 0
        var statistics = MockAmazonWebServices.Statistics()
    }

    let gates = MockGates()
    let state = Mutex(State())
    private let lifetime: Int

    init(lifetime: Int) { self.lifetime = lifetime }

    func answer(_ request: MockRequest) async -> MockResponse {
        await gates.pass(request.path)
        return state.withLock { state in
            state.statistics.sends += 1
            let now = Date().addingTimeInterval(Double(state.ahead))
            return response(to: request, &state, at: now)
        }
    }

    private func response(to request: MockRequest, _ state: inout State, at now: Date) -> MockResponse {
        let service = request.path == "/" ? "sts" : MockAmazonWebServices.service
        do throws(Refusal) {
            try SignedRequest(request).check(service: service, at: now) { (identifier, token) throws(Refusal) in
                if identifier == MockAmazonWebServices.accessKeyID, token == nil { return MockAmazonWebServices.secretAccessKey }
                guard let key = state.temporary[identifier] else {
                    throw Refusal(403, service == "sts" ? "InvalidClientTokenId" : "InvalidAccessKeyId")
                }
                guard key.token == token else { throw Refusal(400, "InvalidToken") }
                guard !state.expired.contains(identifier) else { throw Refusal(400, "ExpiredToken") }
                return key.secret
            }
        } catch {
            state.statistics.refused += 1
            let message = error.message.map { "<Message>\($0)</Message>" } ?? ""
            return Self.xml("<Error><Code>\(error.code)</Code>\(message)</Error>", status: error.status)
        }
        guard service == "sts" else {
            state.statistics.answered += 1
            return .text("\(request.bodyLength) bytes\n", status: .ok)
        }
        let form = FormFields(request.body)
        guard form?["Action"] == "AssumeRole", form?["Version"] == "2011-06-15", form?["RoleArn"] == MockAmazonWebServices.role,
            form?["RoleSessionName"] != nil
        else {
            state.statistics.refused += 1
            return Self.xml("<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>", status: 403)
        }
        let identifier = "ASIAMOCK\(state.temporary.count)"
        let key = (secret: "temporary/\(UUID().uuidString)", token: "session+\(UUID().uuidString)==")
        state.temporary[identifier] = key
        state.statistics.roles += 1
        let end = now.addingTimeInterval(Double(lifetime)).formatted(.iso8601)
        return Self.xml(
            """
            <AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
            <AccessKeyId>\(identifier)</AccessKeyId><SecretAccessKey>\(key.secret)</SecretAccessKey>
            <SessionToken>\(key.token)</SessionToken><Expiration>\(end)</Expiration>
            </Credentials></AssumeRoleResult></AssumeRoleResponse>
            """, status: 200)
    }

    private static func xml(_ text: String, status: Int) -> MockResponse {
        MockResponse(
            status: HTTPResponse.Status(code: status), fields: [.contentType: "text/xml"],
            body: text.utf8)
    }
}

/// The reason why a request is refused: the status, the error code and the
/// message, if it has one.
private struct Refusal: Error {
    let status: Int
    let code: String
    let message: String?

    init(_ status: Int, _ code: String, _ message: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
    }
}

/// A request with its parsed signature. The verification shares no code with the client.
private struct SignedRequest {
    private let request: MockRequest
    private let scope: [String]
    private let names: [String]
    private let signature: String
    private let time: String

    init(_ request: MockRequest) throws(Refusal) {
        self.request = request
        let prefix = "AWS4-HMAC-SHA256 "
        guard let field = request.fields[.authorization], field.hasPrefix(prefix) else { throw Refusal(403, "AccessDenied") }
        var parts: [String: String] = [:]
        for part in field.dropFirst(prefix.count).split(separator: ",") {
            let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parts[String(pair[0])] = String(pair[1]) }
        }
        scope = parts["Credential"]?.components(separatedBy: "/") ?? []
        names = parts["SignedHeaders"]?.components(separatedBy: ";") ?? []
        signature = parts["Signature"] ?? ""
        time = HTTPField.Name("X-Amz-Date").flatMap { request.fields[$0] } ?? ""
        guard scope.count == 5, scope[4] == "aws4_request", names.contains("host"), names == names.sorted() else {
            throw Refusal(400, "IncompleteSignature")
        }
    }

    /// - Parameter secret: Returns the secret key for an identifier and a session token.
    func check(
        service: String, at now: Date, _ secret: (_ identifier: String, _ token: String?) throws(Refusal) -> String
    ) throws(Refusal) {
        guard scope[2] == MockAmazonWebServices.region, scope[3] == service, time.hasPrefix(scope[1]) else {
            throw Refusal(400, "AuthorizationHeaderMalformed")
        }
        let stated = value(of: "x-amz-content-sha256")
        // Only the object service requires the field.
        guard stated != nil || service != "s3" else {
            throw Refusal(400, "InvalidRequest", "Missing required header for this request: x-amz-content-sha256")
        }
        let reader = DateFormatter()
        reader.locale = Locale(identifier: "en_US_POSIX")
        reader.timeZone = TimeZone(identifier: "GMT")
        reader.dateFormat = "yyyyMMdd'T'HHmmss'Z'"
        guard let date = reader.date(from: time), abs(date.timeIntervalSince(now)) < 900 else {
            throw Refusal(403, "RequestTimeTooSkewed")
        }
        let key = try secret(scope[0], value(of: "x-amz-security-token"))
        // All `x-amz-` fields must be signed.
        guard request.fields.allSatisfy({ !$0.name.canonicalName.hasPrefix("x-amz-") || names.contains($0.name.canonicalName) })
        else { throw Refusal(403, "AccessDenied") }
        let hash = request.bodyHash.map { String(format: "%02x", $0) }.joined()
        guard stated == nil || stated == hash else { throw Refusal(400, "XAmzContentSHA256Mismatch") }
        let text =
            "AWS4-HMAC-SHA256\n\(time)\n\(scope[1...].joined(separator: "/"))\n"
            + SHA256.hash(data: Data(canonical(hash, service).utf8)).map { String(format: "%02x", $0) }.joined()
        var chain = Data("AWS4\(key)".utf8)
        for part in scope[1...] + [text] {
            chain = Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: SymmetricKey(data: chain)))
        }
        guard chain.map({ String(format: "%02x", $0) }).joined() == signature else { throw Refusal(403, "SignatureDoesNotMatch") }
    }

    private func value(of name: String) -> String? {
        name == "host" ? request.authority : HTTPField.Name(name).flatMap { request.fields[$0] }
    }

    private func canonical(_ hash: String, _ service: String) -> String {
        var unreserved = CharacterSet.alphanumerics.intersection(CharacterSet(charactersIn: "\u{0}"..."\u{7F}"))
        unreserved.insert(charactersIn: "-._~")
        func encode(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        let segments = request.path.components(separatedBy: "/")
        let path =
            service == "s3"
            ? segments.map { encode($0.removingPercentEncoding ?? "") }.joined(separator: "/")
            : segments.map(encode).joined(separator: "/")
        var pairs: [(name: String, value: String)] = []
        for pair in (request.query ?? "").components(separatedBy: "&") where !pair.isEmpty {
            let parts = pair.components(separatedBy: "=")
            let value = parts.dropFirst().joined(separator: "=")
            pairs.append((encode(parts[0].removingPercentEncoding ?? ""), encode(value.removingPercentEncoding ?? "")))
        }
        pairs.sort { $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name }
        let query = pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        var fields = ""
        for name in names { fields += "\(name):\((value(of: name) ?? "").trimmingCharacters(in: .whitespaces))\n" }
        let lines: [String] = [request.method.rawValue, path, query, fields, names.joined(separator: ";"), hash]
        return lines.joined(separator: "\n")
    }
}
