internal import Crypto
internal import Foundation
package import HTTPTypes

/// A request as the mock's rules receive it.
package struct MockRequest: Sendable {
    package let method: HTTPRequest.Method
    /// The `Host` field in lower case, with the port.
    package let authority: String
    /// The path as sent, without the query.
    package let path: String
    /// The query as sent, without the question mark.
    package let query: String?
    package let fields: HTTPFields
    /// The first bytes of the body, up to ``MockServer/keptBodyLength``.
    package let body: [UInt8]
    /// The length of the complete body in bytes.
    package let bodyLength: Int
    /// The client certificate of the connection, as DER.
    var certificate: [UInt8]?
    /// The SHA-256 hash of a body that exceeds the limit; `nil` for one that is in ``body``.
    var longBodyHash: [UInt8]?

    /// The SHA-256 hash of the complete body.
    var bodyHash: [UInt8] { longBodyHash ?? Array(SHA256.hash(data: Data(body))) }

    /// The cookies in the order in which they were sent.
    var cookies: [(name: String, value: String)] {
        fields[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
            let pair = pair.drop { $0 == " " }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// Returns the values of the cookies with a name. There are several if a client has them for several paths.
    package func cookieValues(_ name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

    /// The decoded query; `nil` if it cannot be decoded.
    package var queryFields: FormFields? { FormFields((query ?? "").utf8) }

    /// The decoded form; `nil` if the body has another media type, exceeds the limit, or cannot be decoded.
    package var form: FormFields? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/x-www-form-urlencoded", body.count == bodyLength else { return nil }
        return FormFields(body)
    }
}

extension MockRequest {
    /// Returns the body decoded from JSON; `nil` if it has another media type, exceeds the limit, or cannot be decoded.
    package func json<Value: Decodable>(_ type: Value.Type) -> Value? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/json", body.count == bodyLength else { return nil }
        return try? JSONDecoder().decode(type, from: Data(body))
    }
}

extension MockRequest {
    /// The user name and the password of HTTP Basic (RFC 7617); `nil` if the request has none.
    var basicCredentials: (user: String, password: String)? {
        guard let field = fields[.authorization], field.lowercased().hasPrefix("basic "),
            let data = Data(base64Encoded: String(field.dropFirst(6))), let text = String(validating: data, as: UTF8.self),
            let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }
}
