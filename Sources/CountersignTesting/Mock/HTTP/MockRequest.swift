import HTTPTypes

/// A request as the mock's rules see it: read from the socket, not yet judged.
struct MockRequest: Sendable {
    let method: HTTPRequest.Method
    /// The `Host` field in lower case, port included.
    let authority: String
    /// As sent, without the query.
    let path: String
    /// As sent, without the question mark.
    let query: String?
    let fields: HTTPFields
    /// The first bytes of the body, up to ``MockServer/keptBodyLength``.
    let body: [UInt8]
    /// How long the whole body was.
    let bodyLength: Int
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
    func cookieValues(_ name: String) -> [String] { cookies.filter { $0.name == name }.map(\.value) }

    /// The query's pairs; `nil` if there is a query that cannot be decoded.
    var queryFields: FormFields? { FormFields((query ?? "").utf8) }

    /// The posted form; `nil` if the body says that it is something else, was too long, or cannot be decoded.
    var form: FormFields? {
        let mediaType = fields[.contentType]?.split(separator: ";").first?.lowercased()
        guard mediaType == "application/x-www-form-urlencoded", body.count == bodyLength else { return nil }
        return FormFields(body)
    }
}
