internal import AsyncHTTPClient
internal import Countersign
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The target of a request. The client, which parses the URL, decides whether it is valid.
struct RequestTarget: Sendable {
    /// The scheme and authority of the server.
    let origin: String
    /// The complete URL.
    let text: String
    let isEncrypted: Bool

    init(_ request: HTTPRequest) throws {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let authority = request.authority, !authority.isEmpty
        else { throw Self.unusable("the request has no absolute http or https URL") }
        // User information in a URL would be disclosed in logs and to the server.
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw Self.unusable("the request's URL has user information")
        }
        // The client stops the program at a greater port of an address, and connects to another port of a name.
        guard Self.hasPort(authority) else { throw Self.unusable("the request's URL has a port that does not exist") }
        origin = "\(scheme)://\(authority.lowercased())"
        text = origin + (request.path ?? "/")
        isEncrypted = scheme == "https"
    }

    /// The name or the address of the server, without brackets.
    var host: Substring {
        let authority = origin[origin.index(origin.startIndex, offsetBy: isEncrypted ? 8 : 7)...]
        if authority.first == "[" { return authority.dropFirst().prefix { $0 != "]" } }
        return authority.prefix { $0 != ":" }
    }

    /// Whether an authority has a port that exists, or none. The colons of an address in brackets do not begin a port.
    private static func hasPort(_ authority: String) -> Bool {
        guard let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":")) else { return true }
        let port = authority[colon...].dropFirst()
        return port.isEmpty || port.utf8.contains(UInt8(ascii: "]")) || port.utf8.first != UInt8(ascii: "+") && UInt16(port) != nil
    }

    private static func unusable(_ detail: String) -> TransportError {
        TransportError(.other, detail: detail, requestMayHaveBeenProcessed: false)
    }
}

extension HTTPClientRequest {
    init(_ request: HTTPRequest, target: RequestTarget, body: Body?) {
        self.init(url: target.text)
        method = HTTPMethod(rawValue: request.method.rawValue)
        headers.reserveCapacity(request.headerFields.count + 1)
        // The authority determines the target. A different `Host` field would address another server on the same machine.
        for field in request.headerFields where field.name != Self.host && field.name != .cookie {
            headers.add(name: field.name.rawName, value: field.value)
        }
        // `HTTPFields` splits cookies into several fields, as HTTP/2 allows (RFC 9113, section 8.2.3). HTTP/1.1 requires one
        // field, and the version of the connection is not known yet.
        if let cookies = request.headerFields[.cookie] { headers.add(name: "Cookie", value: cookies) }
        self.body = body
    }

    private static let host = HTTPField.Name("Host")
}

extension RequestBody {
    /// The body as the client's type; `nil` for a stream.
    var messageBody: HTTPClientRequest.Body? {
        if let data { return .bytes(data) }
        guard case .bytes(let bytes) = content else { return nil }
        return .bytes(ByteBuffer(bytes: bytes))
    }
}

extension HTTPResponse {
    /// Converts status and header fields. Repeated fields remain separate, in order of arrival.
    init(_ response: HTTPClientResponse, maximumSize: Int) throws {
        guard (100...999).contains(response.status.code) else { throw Self.malformed("the response has an invalid status") }
        var size = 0
        var fields = HTTPFields()
        fields.reserveCapacity(response.headers.count)
        for (name, value) in response.headers {
            size += name.utf8.count + value.utf8.count
            guard size <= maximumSize else { throw Self.malformed("the response's fields have more than \(maximumSize) bytes") }
            guard let name = HTTPField.Name(name) else {
                throw Self.malformed("the response has a header field with an invalid name")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        let status = HTTPResponse.Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
        self.init(status: status, headerFields: fields)
    }

    private static func malformed(_ detail: String) -> TransportError {
        TransportError(.malformed, detail: detail, requestMayHaveBeenProcessed: true)
    }
}
