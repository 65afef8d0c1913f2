internal import Countersign
internal import Foundation
internal import HTTPTypes
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension HTTPResponse {
    /// Converts status and header fields. `URLSession` joins repeated fields; `Set-Cookie` is separated again.
    ///
    /// - Parameter method: The method of the request.
    /// - Throws: `TransportError` for a status or a name of a field that is not HTTP.
    init(_ response: HTTPURLResponse, to method: HTTPRequest.Method) throws {
        guard (100...999).contains(response.statusCode) else { throw Self.malformed("the response has an invalid status") }
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String, let name = HTTPField.Name(name) else {
                throw Self.malformed("the response has a header field with an invalid name")
            }
            guard name == .setCookie else {
                fields.append(HTTPField(name: name, value: value))
                continue
            }
            for cookie in SetCookieList.parts(of: value) { fields.append(HTTPField(name: name, value: cookie)) }
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
        if method != .head, status != .noContent, status != .notModified, Self.isDecompressed(headerFields[.contentEncoding]) {
            headerFields[.contentEncoding] = nil
            headerFields[.contentLength] = nil
        }
    }

    /// Whether `URLSession` decompresses a body with this `Content-Encoding`.
    private static func isDecompressed(_ encoding: String?) -> Bool {
        guard let encoding else { return false }
        let codings = encoding.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        #if canImport(Security)
        return !codings.isEmpty && codings.allSatisfy { ["gzip", "x-gzip", "deflate", "br"].contains($0) }
        #else
        // A body that FoundationNetworking cannot decompress is an error.
        return codings.contains { $0 != "identity" }
        #endif
    }

    private static func malformed(_ detail: String) -> TransportError {
        TransportError(.malformed, detail: detail, requestMayHaveBeenProcessed: true)
    }
}
