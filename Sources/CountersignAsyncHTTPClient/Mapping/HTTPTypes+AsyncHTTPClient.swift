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

/// Where a request goes. Whether the text is a URL is the client's to say, which takes it apart.
struct RequestTarget: Sendable {
    /// Scheme and authority: the server that is asked.
    let origin: String
    /// The whole address.
    let text: String
    let isEncrypted: Bool

    init(_ request: HTTPRequest) throws {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let authority = request.authority, !authority.isEmpty
        else { throw Self.unusable("the request has no absolute http or https URL") }
        // A user's name and password in an address would become part of logs and of what a server sees.
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw Self.unusable("the request's URL has user information")
        }
        origin = "\(scheme)://\(authority.lowercased())"
        text = origin + (request.path ?? "/")
        isEncrypted = scheme == "https"
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
        // The authority says where a request goes; a field that says otherwise would address another server on the same machine.
        for field in request.headerFields where field.name != Self.host && field.name != .cookie {
            headers.add(name: field.name.rawName, value: field.value)
        }
        // `HTTPFields` takes cookies apart as HTTP/2 may (RFC 9113, section 8.2.3); HTTP/1.1 has one field for all of them, and which
        // version the connection will have is not known yet.
        if let cookies = request.headerFields[.cookie] { headers.add(name: "Cookie", value: cookies) }
        self.body = body
    }

    private static let host = HTTPField.Name("Host")
}

extension RequestBody {
    /// The body as the client takes it, if it is not a stream.
    var messageBody: HTTPClientRequest.Body? {
        if let data { return .bytes(data) }
        guard case .bytes(let bytes) = content else { return nil }
        return .bytes(ByteBuffer(bytes: bytes))
    }
}

extension HTTPResponse {
    /// Takes over status and fields, each field by itself, in the order of their arrival.
    init(_ response: HTTPClientResponse, maximumSize: Int) throws {
        guard (100...999).contains(response.status.code) else { throw Self.malformed("the response's status is no status") }
        var size = 0
        var fields = HTTPFields()
        fields.reserveCapacity(response.headers.count)
        for (name, value) in response.headers {
            size += name.utf8.count + value.utf8.count
            guard size <= maximumSize else { throw Self.malformed("the response's fields have more than \(maximumSize) bytes") }
            guard let name = HTTPField.Name(name) else { throw Self.malformed("the response has a field without a usable name") }
            fields.append(HTTPField(name: name, value: value))
        }
        let status = HTTPResponse.Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
        self.init(status: status, headerFields: fields)
    }

    private static func malformed(_ detail: String) -> TransportError {
        TransportError(.malformed, detail: detail, requestMayHaveBeenProcessed: true)
    }
}
