import AsyncHTTPClient
import CountersignTesting
import Foundation
import NIOCore
import NIOHTTP1

/// An HTTP client that follows no redirect and keeps no cookie, so that a test sees each step.
struct RawClient {
    struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let bytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
        var location: String? { headers.first(name: "location") }

        /// The field values of the page's form by name, as a browser reads them.
        var formFields: [String: String] {
            var fields: [String: String] = [:]
            for tag in text.matches(of: /<input [^>]*>/) {
                if let name = attribute("name", of: tag.output) { fields[name] = attribute("value", of: tag.output) ?? "" }
            }
            return fields
        }

        /// The action of the page's form.
        var formAction: String? {
            text.firstMatch(of: /<form [^>]*>/).flatMap { attribute("action", of: $0.output) }
        }

        private func attribute(_ name: String, of tag: Substring) -> String? {
            guard let start = tag.range(of: " \(name)=\""), let end = tag[start.upperBound...].firstIndex(of: "\"") else {
                return nil
            }
            return Self.unescape(tag[start.upperBound..<end])
        }

        /// Returns the cookie that is set under a name, in the form in which it is sent back.
        func cookie(_ name: String) -> String? {
            headers["set-cookie"].first { $0.hasPrefix("\(name)=") }?.split(separator: ";").first.map(String.init)
        }

        private static func unescape(_ text: Substring) -> String {
            String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
                .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
    }

    let client: HTTPClient

    /// Makes a client, runs `body` with it, and closes it.
    @discardableResult
    static func run<Result>(_ body: (RawClient) async throws -> Result) async throws -> Result {
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 128
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(RawClient(client: client))
            try await client.shutdown()
            return result
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    func send(
        _ method: HTTPMethod = .GET, _ url: String, cookies: [String?] = [], headers: HTTPHeaders = [:], body: [UInt8]? = nil
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: url)
        request.method = method
        request.headers = headers
        let cookies = cookies.compactMap { $0 }
        if !cookies.isEmpty { request.headers.add(name: "cookie", value: cookies.joined(separator: "; ")) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await client.execute(request, timeout: .seconds(300))
        let bytes = try await response.body.collect(upTo: 16 * 1024 * 1024)
        return Answer(status: Int(response.status.code), headers: response.headers, bytes: Array(buffer: bytes))
    }

    func get(_ url: URL, cookies: [String?] = [], headers: HTTPHeaders = [:]) async throws -> Answer {
        try await send(.GET, url.absoluteString, cookies: cookies, headers: headers)
    }

    func post(_ url: String, form: [String: String], cookies: [String?] = []) async throws -> Answer {
        let text = form.map { "\(Self.encode($0.key))=\(Self.encode($0.value))" }.joined(separator: "&")
        return try await send(
            .POST, url, cookies: cookies, headers: ["content-type": "application/x-www-form-urlencoded"], body: Array(text.utf8))
    }

    private static func encode(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
