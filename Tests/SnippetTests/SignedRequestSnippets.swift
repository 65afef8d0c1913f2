// The code of the guide "Signed requests". The landscape is that of Tests/Ledger.

import AmazonWebServices
import Countersign
import CountersignAsyncHTTPClient
import CountersignTesting
import Crypto
import Foundation
import HTTPTypes
import Ledger
import Synchronization
import TestTurns
import Testing

// snippet: session
/// A session whose requests to the ledger are signed.
func ledgerSession(
    _ ledger: URL, keyID: String, key: String,
    transport: any HTTPTransport = AsyncHTTPClientTransport()
) -> Session {
    let session = Session(transport: transport)
    session.register(
        SignedRequestObserver(
            parameters: SignedRequestParameters(
                servers: [ledger], keyID: keyID, key: key)))
    return session
}
// end

// snippet: upload
/// Sends a file with a signature of its content. The file is read twice: for
/// the digest, and for the request.
func upload(
    _ file: URL, to url: URL, in session: Session
) async throws -> HTTPResponse.Status {
    var request = HTTPRequest(method: .put, url: url)
    request.headerFields[.contentType] = "text/csv"
    let body = RequestBody.restartable {
        let handle = try FileHandle(forReadingFrom: file)
        return AsyncThrowingStream {
            let piece = try handle.read(upToCount: 1 << 16)
            return piece.flatMap { $0.isEmpty ? nil : Array($0) }
        }
    }
    let response = try await session.send(SessionRequest(request, body: body))
    return response.head.status
}
// end

// snippet: amazon
/// A session whose requests to a bucket are signed with the key of a profile,
/// or of the environment.
func bucketSession(_ bucket: URL) throws -> Session {
    let session = Session(transport: AsyncHTTPClientTransport())
    session.register(
        AccessKeyObserver(
            parameters: AccessKeyParameters(
                endpoints: [bucket], service: "s3",
                key: try SharedAccessKey())))
    return session
}
// end

// snippet: token
/// A session whose requests to the ledger carry a token that it has signed.
func accountSession(
    _ ledger: URL, account: String, privateKey: String,
    transport: any HTTPTransport = AsyncHTTPClientTransport()
) -> Session {
    let session = Session(transport: transport)
    session.register(
        SignedTokenObserver(
            parameters: SignedTokenParameters(
                servers: [ledger], account: account, key: privateKey)))
    return session
}
// end

// snippet: verifier
/// Verifies signatures as the ledger does (RFC 9421, section 3.2).
final class LedgerVerifier: Sendable {
    private let key: SymmetricKey
    private let nonces = Mutex<Set<Substring>>([])

    init(key: Data) { self.key = SymmetricKey(data: key) }

    /// Returns the reason to refuse a request; `nil` for a good signature.
    func refusal(of request: HTTPRequest, _ body: [UInt8]) -> String? {
        guard let input = field("Signature-Input", of: request),
            let signature = field("Signature", of: request),
            input.hasPrefix("sig1=("), let end = input.firstIndex(of: ")")
        else { return "no signature" }

        // Parts that are not covered can be changed.
        let covered = input[..<end].dropFirst("sig1=(".count)
            .split(separator: " ").map { $0.dropFirst().dropLast() }
        var required: Set<Substring> = [
            "@method", "@target-uri", "content-digest",
        ]
        if !body.isEmpty { required.insert("content-type") }
        guard required.isSubset(of: covered) else { return "not covered" }

        // The signature base, from the request as it has arrived.
        var lines = covered.map { name in
            "\"\(name)\": \(value(of: name, in: request) ?? "")"
        }
        lines.append("\"@signature-params\": \(input.dropFirst(5))")
        let code = Data(
            base64Encoded: String(signature.dropFirst(6).dropLast()))
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                code ?? Data(),
                authenticating: Data(lines.joined(separator: "\n").utf8),
                using: key)
        else { return "another signature" }

        let digest = Data(SHA256.hash(data: body)).base64EncodedString()
        guard field("Content-Digest", of: request) == "sha-256=:\(digest):"
        else { return "another body" }

        var parameters: [Substring: Substring] = [:]
        for parameter in input[end...].split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            if let name = parts.first { parameters[name] = parts.last }
        }
        let now = Date().timeIntervalSince1970
        guard let created = parameters["created"].flatMap({ Double($0) }),
            let expires = parameters["expires"].flatMap({ Double($0) }),
            created - 5 <= now, now <= expires
        else { return "another time" }
        guard let nonce = parameters["nonce"],
            nonces.withLock({ $0.insert(nonce).inserted })
        else { return "a replay" }
        return nil
    }

    private func field(_ name: String, of request: HTTPRequest) -> String? {
        HTTPField.Name(name).flatMap { request.headerFields[$0] }
    }

    private func value(
        of component: Substring, in request: HTTPRequest
    ) -> String? {
        switch component {
        case "@method": request.method.rawValue
        case "@target-uri": request.url?.absoluteString
        default: field(String(component), of: request)
        }
    }
}
// end

// snippet: test
@Test(.takesTurns) func `only what was signed is accepted`() async throws {
    let key = Data(repeating: 7, count: 32)
    let verifier = LedgerVerifier(key: key)
    let received = Mutex<SessionRequest?>(nil)
    let transport = AnsweringTransport { request in
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body.content { body = bytes }
        received.withLock { $0 = request }
        let refusal = verifier.refusal(of: request.head, body)
        #expect(refusal == nil)
        return SessionResponse(
            head: HTTPResponse(status: refusal == nil ? .ok : .unauthorized),
            url: URL(filePath: "/"), body: ResponseBody())
    }
    let url = try #require(URL(string: "https://ledger.example/entries?id=1"))
    let session = ledgerSession(
        url, keyID: "books", key: key.base64EncodedString(),
        transport: transport)
    var request = HTTPRequest(method: .post, url: url)
    request.headerFields[.contentType] = "application/json"
    let text = #"{"amount":12}"#
    let response = try await session.send(
        SessionRequest(request, body: .text(text)))
    #expect(response.head.status == .ok)

    // The same once more, and with changes.
    let sent = try #require(received.withLock(\.self)?.head)
    let body = Array(text.utf8)
    #expect(verifier.refusal(of: sent, body) == "a replay")
    #expect(verifier.refusal(of: sent, body + [0x20]) == "another body")
    var other = sent
    other.path = "/entries?id=2"
    #expect(verifier.refusal(of: other, body) == "another signature")
    await session.invalidate(cancelling: true)
}
// end

@Suite(.takesTurns, .timeLimit(.minutes(2))) struct `Claims of the guide of signed requests` {
    private static let key = Data(repeating: 7, count: 32)

    /// A server that refuses requests until it has a reason to accept one, and collects what it has received.
    private final class Ledger: HTTPTransport {
        private let answer: @Sendable (HTTPRequest, [UInt8]) -> HTTPResponse
        private let all = Mutex<[HTTPRequest]>([])

        init(_ answer: @escaping @Sendable (HTTPRequest, [UInt8]) -> HTTPResponse) { self.answer = answer }

        var received: [HTTPRequest] { all.withLock(\.self) }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            all.withLock { $0.append(request.head) }
            var body: [UInt8] = []
            switch request.body.content {
            case .none: break
            case .bytes(let bytes): body = bytes
            case .restartable(_, let make): for try await piece in try make() { body += piece }
            case .once(_, let stream): for try await piece in stream { body += piece }
            }
            return SessionResponse(head: answer(request.head, body), url: URL(filePath: "/"), body: ResponseBody())
        }

        func shutdown() async throws {}
    }

    private static func response(_ status: HTTPResponse.Status, _ fields: [String: String] = [:]) -> HTTPResponse {
        var response = HTTPResponse(status: status)
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { response.headerFields[name] = value }
        }
        return response
    }

    private static func text(_ name: String, of request: HTTPRequest) -> String? {
        HTTPField.Name(name).flatMap { request.headerFields[$0] }
    }

    private func url() throws -> URL { try #require(URL(string: "https://ledger.example/entries?id=1")) }

    private func session(with ledger: Ledger) throws -> Session {
        ledgerSession(try url(), keyID: "books", key: Self.key.base64EncodedString(), transport: ledger)
    }

    @Test func `a file is signed and sent, and a body that can be read once is an error before it is sent`() async throws {
        let verifier = LedgerVerifier(key: Self.key)
        let ledger = Ledger { Self.response(verifier.refusal(of: $0, $1) == nil ? .ok : .unauthorized) }
        let session = try session(with: ledger)
        let file = FileManager.default.temporaryDirectory.appending(path: "entries-\(UUID()).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(repeating: 0x2C, count: 200_000).write(to: file)
        #expect(try await upload(file, to: try url(), in: session) == .ok)

        let once = RequestBody.once(length: nil, AsyncThrowingStream<[UInt8], any Error> { $0.finish() })
        let error = await #expect(throws: CountersignError.self) {
            _ = try await session.send(SessionRequest(HTTPRequest(method: .put, url: try url()), body: once))
        }
        #expect(error?.code == .bodyNotReplayable)
        #expect(ledger.received.count == 1)
        await session.invalidate(cancelling: true)
    }

    @Test func `a request is signed again with the ledger's time, and another key ends in an error`() async throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: 3_600))
        let ledger = Ledger { _, _ in Self.response(.unauthorized, ["Accept-Signature": "sig1=()", "Date": date]) }
        let session = try session(with: ledger)
        let error = await #expect(throws: CountersignError.self) {
            _ = try await session.send(SessionRequest(HTTPRequest(url: try url())))
        }
        #expect(error?.code == .challengedAgain)
        let times = ledger.received.compactMap { request in
            Self.text("Signature-Input", of: request).flatMap { $0.firstMatch(of: #/created=(\d+)/#) }.flatMap { Int($0.1) }
        }
        try #require(times.count == 2)
        #expect((3_590...3_660).contains(times[1] - times[0]))
        await session.invalidate(cancelling: true)
    }

    private struct Claims: Decodable {
        let iss, jti: String
        let iat, exp: Double
    }

    /// Decodes base64url without padding.
    private static func bytes(_ text: Substring) -> Data? {
        let letters = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: letters + String(repeating: "=", count: (4 - letters.utf8.count % 4) % 4))
    }

    @Test func `a token of the client's own is signed once, is verified with the public key, and is for the ledger alone`()
        async throws
    {
        let key = P256.Signing.PrivateKey()
        let ledger = Ledger { _, _ in Self.response(.ok) }
        let session = accountSession(try url(), account: "4711", privateKey: key.pemRepresentation, transport: ledger)
        for url in [try url(), try url(), try #require(URL(string: "https://other.example/"))] {
            #expect(try await session.send(SessionRequest(HTTPRequest(url: url))).head.status == .ok)
        }
        let fields = ledger.received.map { Self.text("Authorization", of: $0) }
        try #require(fields.count == 3)
        #expect(fields[0] == fields[1] && fields[2] == nil)
        let token = try #require(fields[0]).dropFirst("Bearer ".count)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Self.bytes(parts[2])))
        #expect(key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
        let claims = try JSONDecoder().decode(Claims.self, from: try #require(Self.bytes(parts[1])))
        #expect(claims.iss == "4711" && claims.exp - claims.iat == 600 && !claims.jti.isEmpty)
        #expect((50...120).contains(Date().timeIntervalSince1970 - claims.iat))
        await session.invalidate(cancelling: true)
    }

    @Test func `the ledger's own signature has its nonce, and other servers get neither`() async throws {
        let ledger = Ledger { request, body in
            func text(_ name: String) -> String? { Self.text(name, of: request) }
            let digest = SHA256.hash(data: body).map { String(format: "%02x", $0) }.joined()
            let lines = [
                "\(request.method.rawValue) \(request.path ?? "")", "nonce-1", text("X-Ledger-Time") ?? "",
                text("X-Ledger-Salt") ?? "", digest,
            ]
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(lines.joined(separator: "\n").utf8), using: SymmetricKey(data: Self.key))
            guard text("X-Ledger-Signature") == Data(code).base64EncodedString() else {
                return Self.response(.forbidden, ["X-Ledger-Nonce": "nonce-1"])
            }
            return Self.response(.ok)
        }
        let session = Session(transport: ledger)
        session.register(
            HashedRequestObserver(
                parameters: HashedRequestParameters(
                    servers: [try url()], keyID: "books", key: Self.key.map { String(format: "%02x", $0) }.joined())))
        var request = HTTPRequest(method: .post, url: try url())
        request.headerFields[.contentType] = "text/plain"
        for _ in 0..<2 {
            let response = try await session.send(SessionRequest(request, body: .text("a text")))
            #expect(response.head.status == .ok)
        }
        // Only the first request is challenged.
        #expect(ledger.received.count == 3)
        #expect(Set(ledger.received.map { Self.text("X-Ledger-Salt", of: $0) }).count == 3)
        let other = HTTPRequest(url: try #require(URL(string: "https://other.example/")))
        #expect(try await session.send(SessionRequest(other)).head.status == .forbidden)
        #expect(ledger.received.last.flatMap { Self.text("X-Ledger-Signature", of: $0) } == nil)
        await session.invalidate(cancelling: true)
    }

    @Test func `a signature at the end of the query covers the time before it, and is made anew with the ledger's time`()
        async throws
    {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        let date = formatter.string(from: Date(timeIntervalSinceNow: 3_600))
        // The secret and the parameters of a published example.
        let key = "NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j"
        let ledger = Ledger { request, _ in
            let query = (request.path ?? "").drop { $0 != "?" }.dropFirst()
            guard let mark = query.range(of: "&signature="), let time = query.range(of: "&timestamp=") else {
                return Self.response(.forbidden)
            }
            let code = HMAC<SHA256>.authenticationCode(
                for: Data(query[..<mark.lowerBound].utf8), using: SymmetricKey(data: Data(key.utf8)))
            let isSigned = query[mark.upperBound...] == code.map { String(format: "%02x", $0) }.joined()
            let isLate = Double(query[time.upperBound..<mark.lowerBound]).map {
                $0 / 1000 < Date().timeIntervalSince1970 + 3_000
            }
            guard isSigned, let isLate else { return Self.response(.forbidden) }
            return isLate ? Self.response(.badRequest, ["X-Ledger-Refused": "timestamp", "Date": date]) : Self.response(.ok)
        }
        let session = Session(transport: ledger)
        session.register(
            QueryRequestObserver(parameters: QueryRequestParameters(servers: [try url()], keyID: "books", key: key)))
        let address = try #require(URL(string: "https://ledger.example/entries?symbol=LTCBTC&side=BUY"))
        for _ in 0..<2 {
            let response = try await session.send(SessionRequest(HTTPRequest(method: .post, url: address)))
            #expect(response.head.status == .ok)
        }
        // Only the first request is challenged.
        #expect(ledger.received.count == 3)
        for request in ledger.received {
            #expect(request.path?.hasPrefix("/entries?symbol=LTCBTC&side=BUY&recvWindow=5000&timestamp=") == true)
            #expect(Self.text("X-Ledger-Key", of: request) == "books")
        }
        let other = HTTPRequest(url: try #require(URL(string: "https://other.example/")))
        #expect(try await session.send(SessionRequest(other)).head.status == .forbidden)
        #expect(ledger.received.last?.path == "/")
        await session.invalidate(cancelling: true)
    }
}
