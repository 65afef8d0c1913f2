internal import Foundation
package import HTTPTypes

/// A request as the mock's rules see it: read from the socket, not yet judged.
package struct MockRequest: Sendable {
    package let method: HTTPRequest.Method
    /// The `Host` field in lower case, port included.
    package let authority: String
    /// As sent, without the query.
    package let path: String
    /// As sent, without the question mark.
    package let query: String?
    package let fields: HTTPFields
    /// The first bytes of the body, up to ``MockServer/keptBodyLength``.
    package let body: [UInt8]
    /// How long the whole body was.
    package let bodyLength: Int
    /// The certificate that the client's connection was made with, as DER.
    var certificate: [UInt8]?

    /// The cookies in the order in which they were sent.
    var cookies: [(name: String, value: String)] {
        fields[values: .cookie].flatMap { $0.split(separator: ";") }.map { pair in
            let pair = pair.drop { $0 == " " }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
    }

    /// The values of the cookies of a name: more than one where a client keeps them for several paths.
    package func cookieValues(_ name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

    /// The query's pairs; `nil` if there is a query that cannot be decoded.
    package var queryFields: FormFields? { FormFields((query ?? "").utf8) }

    /// The posted form; `nil` if the body says that it is something else, was too long, or cannot be decoded.
    package var form: FormFields? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/x-www-form-urlencoded", body.count == bodyLength else { return nil }
        return FormFields(body)
    }
}

extension MockRequest {
    /// The body as JSON of a type; `nil` if it says that it is something else, was too long, or cannot be read.
    package func json<Value: Decodable>(_ type: Value.Type) -> Value? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/json", body.count == bodyLength else { return nil }
        return try? JSONDecoder().decode(type, from: Data(body))
    }
}
