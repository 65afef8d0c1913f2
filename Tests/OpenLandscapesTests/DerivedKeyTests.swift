import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// A login with a key that is derived from the password, and a token that responses replace: `Tests/Specs/Programs/DerivedKey.yaml`.
@Suite(.takesTurns) struct DerivedKeyTests {
    private static let password = "wonderland"

    /// A server that verifies proofs by code of its own, and accepts each token once.
    private final class Server: HTTPTransport {
        private struct State {
            var token = 0
            var logins = 0
        }

        private let state = Mutex(State())
        /// The JSON text that begins a login.
        private let start: String

        init(start: String = #""2$1500$5a17aa""#) { self.start = start }

        var logins: Int { state.withLock(\.logins) }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            var body: [UInt8] = []
            if case .bytes(let bytes) = request.body.content { body = bytes }
            switch request.head.path {
            case "/start": return response(to: request, 200, ["Content-Type": "application/json"], start)
            case "/login":
                let form = String(decoding: body, as: UTF8.self)
                guard form == "proof=\(Self.proof)" else { return response(to: request, 401) }
                let token = state.withLock { state in
                    state.logins += 1
                    return state.token
                }
                return response(to: request, 200, ["X-Session": "session", "X-Token": "token-\(token)"])
            default:
                func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.head.headerFields[$0] } }
                let next = state.withLock { state -> Int? in
                    guard field("X-Session") == "session", field("X-Token") == "token-\(state.token)" else { return nil }
                    state.token += 1
                    return state.token
                }
                return next.map { response(to: request, 200, ["X-Next-Token": "token-\($0)"]) } ?? response(to: request, 403)
            }
        }

        func shutdown() async throws {}

        private func response(
            to request: SessionRequest, _ status: Int, _ fields: [String: String] = [:], _ body: String = ""
        ) -> SessionResponse {
            var all: HTTPFields = [:]
            for (name, value) in fields { if let name = HTTPField.Name(name) { all[name] = value } }
            return SessionResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: all),
                url: request.head.url ?? URL(filePath: "/"), body: ResponseBody(bytes: Array(body.utf8)))
        }

        /// The proof of the password as a form contains it, by the definition of PBKDF2 (RFC 8018, section 5.2).
        private static let proof: String = {
            let secret = SymmetricKey(data: Data(DerivedKeyTests.password.utf8))
            var block = Array(HMAC<SHA256>.authenticationCode(for: Data([0x5A, 0x17, 0xAA, 0, 0, 0, 1]), using: secret))
            var key = block
            for _ in 1..<1_500 {
                block = Array(HMAC<SHA256>.authenticationCode(for: block, using: secret))
                key = zip(key, block).map { $0 ^ $1 }
            }
            return Data(SHA256.hash(data: key)).base64EncodedString().replacing("+", with: "%2B").replacing("/", with: "%2F")
                .replacing("=", with: "%3D")
        }()
    }

    private static func observer(password: String) throws -> any SessionObserver {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/DerivedKey.yaml")
        let files = [
            SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Web\nsummary: A landscape.\n".utf8)),
            SpecFile(path: "DerivedKey.yaml", bytes: Array(try Data(contentsOf: url))),
        ]
        let method = try DynamicLandscape(SpecSources(own: files), unreadable: []).method(named: "DerivedKey")
        let values = ["server": ["https://api.example"], "password": [password]]
        return ManagedObserver(
            try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values)), prompter: nil, store: nil)
    }

    private func run(
        _ server: Server, password: String = DerivedKeyTests.password, _ body: (Session) async throws -> Void
    ) async throws {
        let session = Session(transport: server)
        session.register(try Self.observer(password: password))
        do { try await body(session) } catch { Issue.record(error) }
        await session.invalidate(cancelling: true)
    }

    private var request: SessionRequest {
        SessionRequest(HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/data"))
    }

    @Test func `a server accepts the proof, and each request has the token of the response before`() async throws {
        let server = Server()
        try await run(server) { (session) async throws in
            for _ in 0..<3 { #expect(try await status(request, session) == 200) }
            #expect(server.logins == 1)
        }
    }

    @Test func `another password is refused`() async throws {
        try await run(Server(), password: "other") { (session) async throws in
            #expect(await code { try await status(request, session) } == .refusedByServer)
        }
    }

    @Test(arguments: [#""3$1500$5a17aa""#, #""2$10$5a17aa""#, #""2$99999999$5a17aa""#, #""2$1500$zz""#])
    func `terms that cannot be used are an error, and no proof is sent`(start: String) async throws {
        let server = Server(start: start)
        try await run(server) { (session) async throws in
            #expect(await code { try await status(request, session) } == .unusableChallenge)
            #expect(server.logins == 0)
        }
    }
}
