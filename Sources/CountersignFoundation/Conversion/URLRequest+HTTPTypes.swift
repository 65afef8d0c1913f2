internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension SessionRequest {
    /// Converts a `URLRequest`, with its own body or the given one.
    ///
    /// An `httpBody` can be resent. An `httpBodyStream` can be read only once, so a challenge to such a request causes an error.
    ///
    /// - Throws: `CountersignError` with the code `invalidRequest`.
    init(_ request: URLRequest, body: RequestBody?) throws {
        if let plain = request.plainHead {
            self.init(plain.head, body: body ?? request.body, timeout: request.limit)
            address = LazyURL(plain.url)
        } else {
            guard request.url?.user == nil, request.url?.password == nil else {
                // An HTTP request head has no user name, so the request would be sent without the intended credential.
                throw CountersignError(
                    .invalidRequest, detail: "the request's URL contains a user name; use an authentication method instead",
                    requestMethod: request.httpMethod, origin: request.url.flatMap { Origin($0) })
            }
            guard let head = request.head else {
                throw CountersignError(
                    .invalidRequest,
                    detail: "the request has no absolute http or https URL, or a method that is not an HTTP method")
            }
            self.init(head, body: body ?? request.body, timeout: request.limit)
        }
        // A jar of its own: the session's cookies are neither sent nor changed.
        if !request.httpShouldHandleCookies { cookies = CookieJar() }
    }
}

extension URLRequest {
    /// The request's head; `nil` without an absolute `http` or `https` URL, for which the conversion of HTTPTypes traps.
    var head: HTTPRequest? {
        guard let url, Origin(url) != nil else { return nil }
        return httpRequest
    }

    /// The head of a request whose URL has neither user nor fragment, and whose fields are ASCII; `nil` for all others. It is
    /// faster than the conversion of HTTPTypes, which parses the URL again.
    fileprivate var plainHead: (head: HTTPRequest, url: URL)? {
        guard let url, let method = HTTPRequest.Method(httpMethod ?? "GET"),
            let parts = PlainAddress(url.absoluteString)
        else { return nil }
        var head = HTTPRequest(method: method, scheme: parts.scheme, authority: parts.authority, path: parts.path)
        for (name, value) in allHTTPHeaderFields ?? [:] {
            guard let name = HTTPField.Name(name) else { continue }
            guard value.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            head.headerFields.append(HTTPField(name: name, value: value))
        }
        return (head, url.absoluteURL)
    }

    /// Whether method, URL and header fields are equal. On Linux, Foundation's own comparison ignores the fields.
    func hasSameHead(as other: URLRequest) -> Bool {
        httpMethod == other.httpMethod && url == other.url && allHTTPHeaderFields == other.allHTTPHeaderFields
    }

    /// Creates a request for an application's observer: the given head, and other properties from the caller's request.
    init?(_ head: HTTPRequest, like original: URLRequest?) {
        guard let converted = URLRequest(httpRequest: head) else { return nil }
        guard var request = original, request.httpMethod == converted.httpMethod else {
            self = converted
            return
        }
        request.url = converted.url
        request.allHTTPHeaderFields = converted.allHTTPHeaderFields
        self = request
    }

    fileprivate var body: RequestBody {
        if let httpBody { return .bytes(httpBody) }
        guard let httpBodyStream else { return .none }
        let length = value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
        return .once(length: length, InputStreamBytes(httpBodyStream))
    }

    /// The time limit of the exchange; `nil` for Foundation's default and for no positive number, which select the session's limit.
    fileprivate var limit: Duration? {
        guard timeoutInterval != Self.defaultTimeoutInterval, timeoutInterval > 0 else { return nil }
        return .seconds(min(timeoutInterval, Self.longestInterval))
    }

    private static let defaultTimeoutInterval: TimeInterval = 60
    /// The longest interval in seconds, more than 30 years, since a `Duration` of an infinite one would stop the program.
    private static let longestInterval: TimeInterval = 1e9
}

/// The parts of an `http` or `https` URL, as written.
private struct PlainAddress {
    let scheme: String
    let authority: String
    let path: String

    /// - Returns: `nil` for a URL without a path, or with a user or a fragment.
    init?(_ text: String) {
        var text = text
        let parts: (String, String, String)? = text.withUTF8 { bytes in
            let scheme = bytes.starts(with: "https://".utf8) ? "https" : "http"
            let begin = scheme.utf8.count + 3
            guard scheme == "https" || bytes.starts(with: "http://".utf8),
                let slash = bytes[begin...].firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }),
                slash > begin, bytes[slash] == UInt8(ascii: "/"), !bytes[begin..<slash].contains(UInt8(ascii: "@")),
                !bytes.contains(UInt8(ascii: "#"))
            else { return nil }
            return (scheme, String(decoding: bytes[begin..<slash], as: UTF8.self), String(decoding: bytes[slash...], as: UTF8.self))
        }
        guard let parts else { return nil }
        (scheme, authority, path) = parts
    }
}
