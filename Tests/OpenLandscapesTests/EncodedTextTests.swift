import Countersign
import CountersignDynamic
import CountersignSpec
import Foundation
import HTTPTypes
import Synchronization
import TestTurns
import Testing

/// Texts in an encoding, in the requests of steps and in those that carry the credential, and JSON with parameters as names.
@Suite(.takesTurns) struct EncodedTextTests {
    /// A server whose login is at `/login`. It records the requests.
    private final class Server: HTTPTransport {
        private let requests = Mutex<[SessionRequest]>([])

        var all: [SessionRequest] { requests.withLock { $0 } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            requests.withLock { $0.append(request) }
            let isChallenge = request.head.path != "/login" && request.head.headerFields[.authorization] == nil
            return SessionResponse(
                head: HTTPResponse(
                    status: isChallenge ? .unauthorized : .ok,
                    headerFields: isChallenge ? [.wwwAuthenticate: "Web"] : [.eTag: "t0ken"]),
                url: request.head.url ?? URL(filePath: "/"), body: ResponseBody())
        }

        func shutdown() async throws {}
    }

    private static func observer(
        of method: String, in files: [SpecFile], _ values: [String: [String]]
    ) throws -> any SessionObserver {
        let method = try DynamicLandscape(SpecSources(own: files), unreadable: []).method(named: method)
        return ManagedObserver(
            try method.filled(try method.variant(named: nil), with: GivenValues(parameters: values)), prompter: nil, store: nil)
    }

    private func run(_ observer: any SessionObserver) async throws -> [SessionRequest] {
        let server = Server()
        let session = Session(transport: server)
        session.register(observer)
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/data")
        #expect(try await status(SessionRequest(request), session) == 200)
        await session.invalidate(cancelling: true)
        return server.all
    }

    @Test(arguments: [
        ("VuaCfGcBCdbkQm-e5aOx", "ui2lp2axTNmsyakw9tvNnw", "VnVhQ2ZHY0JDZGJrUW0tZTVhT3g6dWkybHAyYXhUTm1zeWFrdzl0dk5udw=="),
        ("jürgen", "schlüssel?>", "asO8cmdlbjpzY2hsw7xzc2VsPz4="),
    ])
    func `a key with an identifier is encoded in each request`(id: String, key: String, encoded: String) async throws {
        let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Specs/Programs/EncodedKey.yaml")
        let observer = try Self.observer(
            of: "EncodedKey",
            in: [
                SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Web\nsummary: A landscape.\n".utf8)),
                SpecFile(path: "EncodedKey.yaml", bytes: Array(try Data(contentsOf: url))),
            ], ["servers": ["https://api.example"], "keyID": [id], "key": [key]])
        let requests = try await run(observer)
        #expect(requests.map { $0.head.headerFields[.authorization] } == ["ApiKey \(encoded)"])
    }

    @Test func `steps encode texts, and a JSON member has the name that a parameter has`() async throws {
        let spec = """
            countersign: 2
            method: Web
            summary: A login with encoded texts.
            parameters:
              server: { type: url, summary: The server. }
              user: { type: string, summary: The user. }
              password: { type: secret, summary: The password. }
              factor: { type: string, summary: The second factor. }
            challenge:
              - { name: login, status: 401, www-authenticate: Web }
            credential:
              fields:
                token: { type: secret, summary: A token. }
              for: ["{server}"]
            acquire:
              - compute:
                  name: { join: ["{user}"], as: hex }
                  pwd: { join: ["{password}"], as: base64 }
              - http:
                  send: "POST {server}/login"
                  json: { payload: { "{factor}": ["{name}", "{pwd}"] } }
                  answers: [{ status: 200, capture: { token: { header: ETag, type: secret } } }]
            attach:
              - compute: { pair: { join: ["{credential.token}", ":", "{password}"], as: base64url } }
                headers: { Authorization: "Web {pair}" }
            rejected:
              - { then: [acquire] }

            """
        let observer = try Self.observer(
            of: "Web",
            in: [
                SpecFile(path: "landscape.yaml", bytes: Array("countersign: 2\nlandscape: Web\nsummary: A landscape.\n".utf8)),
                SpecFile(path: "Web.yaml", bytes: Array(spec.utf8)),
            ], ["server": ["https://api.example"], "user": ["é"], "password": ["ü?>"], "factor": ["\"otp\""]])
        let requests = try await run(observer)
        #expect(requests.map(\.head.path) == ["/data", "/login", "/data"])
        var body: [UInt8] = []
        if case .bytes(let bytes) = requests[1].body.content { body = bytes }
        #expect(String(decoding: body, as: UTF8.self) == #"{"payload":{"\"otp\"":["c3a9","w7w/Pg=="]}}"#)
        #expect(requests[2].head.headerFields[.authorization] == "Web dDBrZW46w7w_Pg")
    }
}
