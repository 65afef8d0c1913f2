import ArgumentParser
import AsyncHTTPClient
import Countersign
import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import OAuth
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A Swift client that `others` runs in a process of its own, with the arguments of the programs in `Others`.
struct ContenderCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contender", abstract: "One client of 'others'.", shouldDisplay: false)

    @Argument var client: String
    @Argument var work: String
    @Argument var url: String
    @Argument var count: Int
    @Argument var seconds: Double = 0

    func run() async throws {
        let result = work == "small" ? try await small() : try await challenged()
        let text = try JSONSerialization.data(withJSONObject: result, options: .sortedKeys)
        print(String(decoding: text, as: UTF8.self))
    }

    private func small() async throws -> [String: Any] {
        let contender = try Contenders.make(client, trusting: nil)
        func run(_ seconds: Double) async throws -> (requests: Int, failures: Int, seconds: Double) {
            let start = ContinuousClock.now
            let counts = await withTaskGroup(of: (Int, Int).self) { [url, count] group in
                for _ in 0..<count {
                    group.addTask {
                        var (requests, failures) = (0, 0)
                        while ContinuousClock.now - start < .seconds(seconds) {
                            let bytes = try? await contender.get(url)
                            requests += 1
                            failures += bytes == LoopbackServer.smallAnswer.utf8.count ? 0 : 1
                        }
                        return (requests, failures)
                    }
                }
                return await group.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            }
            return (counts.0, counts.1, (ContinuousClock.now - start) / .seconds(1))
        }
        _ = try await run(seconds / 5)
        let counted = try await run(seconds)
        await contender.close()
        return ["requests": counted.requests, "failures": counted.failures, "seconds": counted.seconds]
    }

    private func challenged() async throws -> [String: Any] {
        let contender: any TokenContender =
            switch client {
            case "Session": try TokenSession(base: url, connections: count)
            case "URLSession": TokenURLSession(base: url, connections: count)
            case "async-http-client": TokenHTTPClient(base: url, connections: count)
            default: throw PerformanceError("there is no client '\(client)'")
            }
        func run() async -> [String: Any] {
            let start = ContinuousClock.now
            let failures = await withTaskGroup(of: Bool.self) { [url, count] group in
                for number in 0..<count {
                    group.addTask { (try? await contender.status("\(url)/resource/\(number)")) == 200 }
                }
                return await group.reduce(0) { $0 + ($1 ? 0 : 1) }
            }
            return ["milliseconds": (ContinuousClock.now - start) / .milliseconds(1), "failures": failures]
        }
        let cold = await run()
        try await contender.revoke("\(url)/revoke")
        let revoked = await run()
        await contender.close()
        return ["cold": cold, "revoked": revoked]
    }
}

/// A client whose requests need a token.
private protocol TokenContender: Sendable {
    /// The status code of the response, after a challenge was answered.
    func status(_ url: String) async throws -> Int
    func revoke(_ url: String) async throws
    func close() async
}

/// This package's session, with the client credentials of its landscape for OAuth 2.0.
private struct TokenSession: TokenContender {
    private let session: Session

    init(base: String, connections: Int) throws {
        var configuration = AsyncHTTPClientTransport.Configuration()
        configuration.maximumConnectionsPerHost = connections
        session = Session(transport: AsyncHTTPClientTransport(configuration: configuration))
        guard let url = URL(string: base) else { throw PerformanceError("'\(base)' is not a valid URL") }
        session.register(
            ClientCredentialsObserver(
                parameters: ClientCredentialsParameters(
                    apis: [url], tokenURL: url.appending(path: "token"), clientID: "performance", clientSecret: "secret")))
    }

    func status(_ url: String) async throws -> Int {
        guard let url = URL(string: url) else { throw PerformanceError("invalid URL") }
        let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
        _ = try await response.body.collect(upTo: 1 << 20)
        return response.head.status.code
    }

    func revoke(_ url: String) async throws {
        guard let url = URL(string: url) else { throw PerformanceError("invalid URL") }
        _ = try await session.send(SessionRequest(HTTPRequest(method: .post, url: url)))
    }

    func close() async { await session.invalidate(cancelling: true) }
}

/// The last token that was fetched, for a client without OAuth.
private final class LastToken: Sendable {
    private let token = Mutex<String?>(nil)

    var field: String? { token.withLock { $0.map { "Bearer \($0)" } } }

    /// Reads the token from a response of the token endpoint.
    func take(_ bytes: Data) throws {
        struct Issued: Decodable { let access_token: String }
        let issued = try JSONDecoder().decode(Issued.self, from: bytes)
        token.withLock { $0 = issued.access_token }
    }

    static let login = "Basic " + Data("performance:secret".utf8).base64EncodedString()
    static let form = Data("grant_type=client_credentials".utf8)
}

/// Foundation's session: it has no OAuth; on 401 the application fetches a token and sends the request again.
private struct TokenURLSession: TokenContender {
    private let session: URLSession
    private let base: String
    private let token = LastToken()

    init(base: String, connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        session = URLSession(configuration: configuration)
        self.base = base
    }

    func status(_ url: String) async throws -> Int {
        let (_, first) = try await send(url, token.field)
        guard first == 401 else { return first }
        try token.take(try await send("\(base)/token", LastToken.login, LastToken.form).0)
        return try await send(url, token.field).1
    }

    func revoke(_ url: String) async throws { _ = try await send(url, nil, Data()) }

    func close() async { session.invalidateAndCancel() }

    private func send(_ url: String, _ field: String?, _ body: Data? = nil) async throws -> (Data, Int) {
        guard let url = URL(string: url) else { throw PerformanceError("invalid URL") }
        var request = URLRequest(url: url)
        request.setValue(field, forHTTPHeaderField: "Authorization")
        if let body {
            request.httpMethod = "POST"
            request.httpBody = body
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}

/// async-http-client by itself, with the same code for tokens.
private struct TokenHTTPClient: TokenContender {
    private let client: HTTPClient
    private let base: String
    private let token = LastToken()

    init(base: String, connections: Int) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
        self.base = base
    }

    func status(_ url: String) async throws -> Int {
        let (_, first) = try await send(url, token.field)
        guard first == 401 else { return first }
        try token.take(try await send("\(base)/token", LastToken.login, LastToken.form).0)
        return try await send(url, token.field).1
    }

    func revoke(_ url: String) async throws { _ = try await send(url, nil, Data()) }

    func close() async { try? await client.shutdown() }

    private func send(_ url: String, _ field: String?, _ body: Data? = nil) async throws -> (Data, Int) {
        var request = HTTPClientRequest(url: url)
        if let field { request.headers.add(name: "Authorization", value: field) }
        if let body {
            request.method = .POST
            request.body = .bytes(body)
            request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        }
        let response = try await client.execute(request, timeout: .seconds(60))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return (Data(bytes.readableBytesView), Int(response.status.code))
    }
}
