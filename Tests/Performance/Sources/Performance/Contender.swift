import AsyncHTTPClient
import Countersign
import CountersignAsyncHTTPClient
import CountersignFoundation
import Foundation
import HTTPTypes
import HTTPTypesFoundation
import NIOCore
import NIOHTTP1
import NIOSSL
import SAPMobileServices

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A client that is measured.
protocol Contender: Sendable {
    /// Gets the resource at an address.
    ///
    /// - Returns: The size of the body in bytes.
    func get(_ url: String) async throws -> Int
    /// Sends bytes.
    func post(_ bytes: Data, to url: String) async throws
    /// Reads the resource at an address chunk by chunk, and keeps none of it.
    func drain(_ url: String) async throws -> Int
    func close() async
}

/// The clients by name.
enum Contenders {
    /// The client that all others are compared with.
    static let bare = "async-http-client"
    /// The bare client with conversion to and from Foundation's types, a cost that no client with those types can avoid.
    static let converted = "async-http-client, URLRequest"
    static let own = ["Session", "SAPURLSession, no observer", "SAPURLSession, 1 observer", "SAPURLSession, 3 observers"]
    static let foundation = "URLSession"

    /// - Parameter certificate: The file of the only certificate to trust; `nil` for the certificates of the system.
    static func make(_ name: String, trusting certificate: String?) throws -> any Contender {
        switch name {
        case bare: try BareClient(trusting: certificate)
        case converted: ConvertingClient(client: try BareClient(trusting: certificate))
        case own[0]: SessionClient(trusting: certificate)
        case own[1]: try FoundationClient(observers: 0, trusting: certificate)
        case own[2]: try FoundationClient(observers: 1, trusting: certificate)
        case own[3]: try FoundationClient(observers: 3, trusting: certificate)
        case foundation: URLSessionClient()
        default: throw PerformanceError("there is no client '\(name)'")
        }
    }
}

private let limit = 1 << 30

/// The bare client, used as its documentation shows.
private struct BareClient: Contender {
    private let client: HTTPClient

    init(trusting certificate: String?) throws {
        var configuration = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        if let certificate { tls.trustRoots = .file(certificate) }
        configuration.tlsConfiguration = tls
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        // The default of the product.
        configuration.timeout.read = .seconds(60)
        client = HTTPClient(eventLoopGroup: .singletonMultiThreadedEventLoopGroup, configuration: configuration)
    }

    func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await client.execute(request, timeout: .seconds(60))
    }

    func get(_ url: String) async throws -> Int {
        try await execute(HTTPClientRequest(url: url)).body.collect(upTo: limit).readableBytes
    }

    func post(_ bytes: Data, to url: String) async throws {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.body = .bytes(bytes)
        _ = try await execute(request).body.collect(upTo: limit)
    }

    func drain(_ url: String) async throws -> Int {
        var count = 0
        for try await piece in try await execute(HTTPClientRequest(url: url)).body { count += piece.readableBytes }
        return count
    }

    func close() async { try? await client.shutdown() }
}

/// The bare client for users of Foundation: converts from a `URL` and a `URLRequest`, and to an `HTTPURLResponse` and `Data`.
private struct ConvertingClient: Contender {
    let client: BareClient

    func get(_ url: String) async throws -> Int {
        guard let url = URL(string: url) else { throw PerformanceError("'\(url)' is not a valid URL") }
        let (data, _) = try await data(for: URLRequest(url: url))
        return data.count
    }

    func post(_ bytes: Data, to url: String) async throws {
        guard let url = URL(string: url) else { throw PerformanceError("'\(url)' is not a valid URL") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = bytes
        _ = try await data(for: request)
    }

    func drain(_ url: String) async throws -> Int { try await client.drain(url) }

    func close() async { await client.close() }

    private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
        guard let url = request.url else { throw PerformanceError("the request has no URL") }
        var message = HTTPClientRequest(url: url.absoluteString)
        message.method = HTTPMethod(rawValue: request.httpMethod ?? "GET")
        if let body = request.httpBody { message.body = .bytes(body) }
        let response = try await client.execute(message)
        var fields: [String: String] = [:]
        for (name, value) in response.headers { fields[name] = value }
        guard
            let head = HTTPURLResponse(
                url: url, statusCode: Int(response.status.code), httpVersion: "HTTP/1.1", headerFields: fields)
        else { throw PerformanceError("no response") }
        let body = try await response.body.collect(upTo: limit)
        return (Data(body.readableBytesView), head)
    }
}

/// The runtime's session.
private struct SessionClient: Contender {
    private let session: Session

    init(trusting certificate: String?) {
        var configuration = AsyncHTTPClientTransport.Configuration()
        if let certificate { configuration.trustRoots = .file(certificate) }
        configuration.maximumConnectionsPerHost = 256
        session = Session(transport: AsyncHTTPClientTransport(configuration: configuration))
    }

    func get(_ url: String) async throws -> Int {
        let response = try await session.send(SessionRequest(try Self.request(url)))
        return try await response.body.collect(upTo: limit).count
    }

    func post(_ bytes: Data, to url: String) async throws {
        var request = try Self.request(url)
        request.method = .post
        let response = try await session.send(SessionRequest(request, body: .bytes(bytes)))
        _ = try await response.body.collect(upTo: limit)
    }

    func drain(_ url: String) async throws -> Int {
        let response = try await session.send(SessionRequest(try Self.request(url)))
        var count = 0
        for try await piece in response.body { count += piece.count }
        return count
    }

    func close() async { await session.invalidate(cancelling: true) }

    /// Makes a request from its parts, the way to make one without a `URL`.
    private static func request(_ url: String) throws -> HTTPRequest {
        guard let slash = url.utf8.dropFirst(8).firstIndex(of: UInt8(ascii: "/")),
            let colon = url.utf8.firstIndex(of: UInt8(ascii: ":"))
        else {
            throw PerformanceError("'\(url)' is not a valid URL")
        }
        return HTTPRequest(
            method: .get, scheme: String(url[..<colon]), authority: String(url[colon..<slash].dropFirst(3)),
            path: String(url[slash...]))
    }
}

/// The interface for users of Foundation, with observers of SAP's landscape that no response challenges.
private struct FoundationClient: Contender {
    private let session: SAPURLSession

    init(observers: Int, trusting certificate: String?) throws {
        var configuration = SAPURLSession.Configuration()
        if let certificate { configuration.transport.trustRoots = .file(certificate) }
        configuration.transport.maximumConnectionsPerHost = 256
        session = SAPURLSession(configuration: configuration)
        guard observers > 0 else { return }
        let backend = try Self.url("http://127.0.0.1")
        let settings = SAPcpmsSettingsParameters(backendURL: backend, applicationID: "performance")
        session.register(SAMLObserver(settingsParameters: settings))
        guard observers > 1 else { return }
        session.register(OTPObserver(settingsParameters: settings))
        session.register(
            OAuth2Observer(
                authenticationParameters: OAuth2AuthenticationParameters(
                    settingsParameters: settings, clientID: "performance", redirectURL: backend),
                tokenStore: MemoryTokenStore()))
    }

    func get(_ url: String) async throws -> Int { try await session.data(for: try Self.request(url)).0.count }

    func post(_ bytes: Data, to url: String) async throws {
        var request = try Self.request(url)
        request.httpMethod = "POST"
        request.httpBody = bytes
        _ = try await session.data(for: request)
    }

    func drain(_ url: String) async throws -> Int {
        var count = 0
        for try await piece in try await session.bytes(for: try Self.request(url)).0 { count += piece.count }
        return count
    }

    func close() async { session.invalidateAndCancel() }

    private static func request(_ url: String) throws -> URLRequest { URLRequest(url: try Self.url(url)) }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw PerformanceError("'\(text)' is not a valid URL") }
        return url
    }
}

/// Foundation's own session.
private struct URLSessionClient: Contender {
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 256
        session = URLSession(configuration: configuration)
    }

    func get(_ url: String) async throws -> Int { try await session.data(for: try Self.request(url)).0.count }

    func post(_ bytes: Data, to url: String) async throws {
        var request = try Self.request(url)
        request.httpMethod = "POST"
        request.httpBody = bytes
        _ = try await session.data(for: request)
    }

    func drain(_ url: String) async throws -> Int { try await get(url) }

    func close() async { session.invalidateAndCancel() }

    private static func request(_ url: String) throws -> URLRequest {
        guard let url = URL(string: url) else { throw PerformanceError("invalid URL") }
        return URLRequest(url: url)
    }
}
