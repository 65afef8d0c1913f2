internal import Crypto
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Signs requests by AWS Signature Version 4. The canonical form of a request is hashed, and the hash is signed with a key that
/// is derived from the secret key for a day, a region and a service.
struct SignatureVersion4Signer: Sendable {
    let identifier, key: String
    let session: String?
    let region, service: String
    /// The time by which the server's clock is ahead of this machine's.
    var offset = Duration.zero
    /// The lifetime of a signature in the query; `nil` for a signature in header fields.
    var lifetimeInQuery: Duration?
    /// The parameters of a signature in the query.
    static let parameterNames = [
        "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders", "X-Amz-Security-Token",
        "X-Amz-Signature",
    ]
    /// The names among them that another signature does not have.
    static let secretParameterNames = ["X-Amz-Credential", "X-Amz-Security-Token", "X-Amz-Signature"]

    /// The names under which the object service S3 verifies signatures, for its kinds of endpoints. They require the field
    /// `X-Amz-Content-Sha256`, and encode paths only once.
    private static let objectServices: Set = ["s3", "s3express", "s3-object-lambda", "s3-outposts"]

    /// Whether a field is signed in addition to `Host`. Other fields may be changed on the way, or are added later.
    private static func signs(_ name: HTTPField.Name) -> Bool { name.canonicalName == "content-type" || mustSign(name) }

    /// Whether a field must be signed if the request has it, wherever the signature is: services refuse it otherwise.
    private static func mustSign(_ name: HTTPField.Name) -> Bool { name.canonicalName.hasPrefix("x-amz-") }

    /// Whether the service accepts requests whose bodies are not signed.
    var takesUnsignedBodies: Bool { Self.objectServices.contains(service) }

    /// Signs a request, and rewrites its target in the encoding that is signed. In a query, `+` stands for itself and not for a
    /// space.
    func sign(_ request: inout HTTPRequest, payload: RequestPayload, at now: Date) {
        let moment = Moment(now.addingTimeInterval(offset / .seconds(1)))
        let hash = payload.text
        if let lifetimeInQuery {
            sign(&request, payload: takesUnsignedBodies ? RequestPayload.unsigned.text : hash, at: moment, for: lifetimeInQuery)
            return
        }
        request.path = CanonicalRequest.spelled(request.path ?? "/", withPath: takesUnsignedBodies)
        request.headerFields[Self.name("X-Amz-Date")] = moment.text
        if takesUnsignedBodies { request.headerFields[Self.name("X-Amz-Content-Sha256")] = hash }
        if let session {
            request.headerFields[fields: Self.name("X-Amz-Security-Token")] = [Self.secret("X-Amz-Security-Token", session)]
        }
        let canonical = CanonicalRequest(
            request, signing: Self.signs, isEncodedOnce: takesUnsignedBodies, payload: hash)
        let text =
            "\(Self.algorithm) Credential=\(identifier)/\(scope(moment)), SignedHeaders=\(canonical.names), Signature=\(signature(of: canonical, at: moment))"
        request.headerFields[fields: .authorization] = [Self.secret("Authorization", text)]
    }

    /// Signs a request in its query. Of the header fields, only `Host` and those that must be signed are.
    private func sign(_ request: inout HTTPRequest, payload: String, at moment: Moment, for lifetime: Duration) {
        var items = [
            ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(identifier)/\(scope(moment))"),
            ("X-Amz-Date", moment.text),
            ("X-Amz-Expires", "\(lifetime.components.seconds)"),
            ("X-Amz-SignedHeaders", CanonicalRequest.names(of: request, signing: Self.mustSign)),
        ]
        if let session { items.append(("X-Amz-Security-Token", session)) }
        let query = items.map { "\($0)=\(PercentEncoding.encode($1.utf8))" }.joined(separator: "&")
        let target = request.path ?? "/"
        request.path = CanonicalRequest.spelled(
            target + (target.contains("?") ? "&" : "?") + query, withPath: takesUnsignedBodies)
        let canonical = CanonicalRequest(
            request, signing: Self.mustSign, isEncodedOnce: takesUnsignedBodies, payload: payload)
        request.path?.append("&X-Amz-Signature=\(signature(of: canonical, at: moment))")
    }

    /// Returns the signature of a canonical request, in hexadecimal digits.
    private func signature(of request: CanonicalRequest, at moment: Moment) -> String {
        let hash = Hexadecimal.text(SHA256.hash(data: Data(request.text.utf8)))
        let text = [Self.algorithm, moment.text, scope(moment), hash].joined(separator: "\n")
        var key = Data("AWS4\(self.key)".utf8)
        for part in [moment.day, region, service, Self.end, text] {
            key = Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: SymmetricKey(data: key)))
        }
        return Hexadecimal.text(key)
    }

    private func scope(_ moment: Moment) -> String { [moment.day, region, service, Self.end].joined(separator: "/") }

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let end = "aws4_request"

    /// Returns a field name that is known to be valid.
    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }

    /// Returns a field that is never stored in a header compression table.
    private static func secret(_ name: String, _ value: String) -> HTTPField {
        var field = HTTPField(name: Self.name(name), value: value)
        field.indexingStrategy = .disallow
        return field
    }

    /// Whether all values are valid in header fields.
    var isUsable: Bool { [identifier, session ?? "", region, service].allSatisfy(HTTPField.isValidValue) && !identifier.isEmpty }

    /// A time in the format of signatures.
    private struct Moment {
        /// `20150830T123600Z`.
        let text: String
        /// `20150830`.
        var day: String { String(text.prefix(8)) }

        init(_ date: Date) {
            text = date.formatted(
                Date.ISO8601FormatStyle(
                    dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZoneSeparator: .omitted,
                    includingFractionalSeconds: false, timeZone: .gmt))
        }
    }
}

extension SignatureVersion4Signer: RedactedDescription {}

extension SignatureVersion4Signer: RequestSigning {
    func payload(of body: RequestBody, isEncrypted: Bool) -> RequestPayload? {
        if takesUnsignedBodies, lifetimeInQuery != nil { return .unsigned }
        return body.inMemory ?? (takesUnsignedBodies && isEncrypted ? .unsigned : nil)
    }

    func payload(reading body: RequestBody) async throws -> RequestPayload { try await body.hashed() }
}

extension RequestPayload {
    /// The value that represents the body in the canonical request.
    fileprivate var text: String {
        switch self {
        case .bytes(let bytes): Hexadecimal.text(SHA256.hash(data: Data(bytes)))
        case .hash(let hash): hash
        case .unsigned: "UNSIGNED-PAYLOAD"
        }
    }
}

/// The canonical form of a request that is hashed. It does not depend on how the parts of the request are written.
struct CanonicalRequest {
    let text: String
    /// The names of the signed fields, in lower case, with semicolons between them.
    let names: String

    /// - Parameters:
    ///   - signing: Whether a field is signed; `Host` always is.
    ///   - isEncodedOnce: Whether the path is used unchanged, as S3 does, rather than normalised and encoded again.
    init(_ request: HTTPRequest, signing: (HTTPField.Name) -> Bool, isEncodedOnce: Bool, payload: String) {
        let target = request.path ?? "/"
        let path = target.prefix { $0 != "?" }
        let query = target.dropFirst(path.count + 1)
        var fields: [String: [String]] = ["host": [request.signedAuthority]]
        for field in request.headerFields where signing(field.name) {
            fields[field.name.canonicalName, default: []].append(Self.trimmed(field.value))
        }
        let sorted = fields.sorted { $0.key < $1.key }
        names = Self.names(of: request, signing: signing)
        text = [
            request.method.rawValue, isEncodedOnce ? Self.encodedOnce(path) : Self.encodedTwice(path), Self.sorted(query),
            sorted.map { "\($0.key):\($0.value.joined(separator: ","))\n" }.joined(), names, payload,
        ].joined(separator: "\n")
    }

    /// Returns the names of the signed fields, in lower case, with semicolons between them.
    static func names(of request: HTTPRequest, signing: (HTTPField.Name) -> Bool) -> String {
        let names = request.headerFields.map(\.name).filter(signing).map(\.canonicalName)
        return Set(names + ["host"]).sorted().joined(separator: ";")
    }

    /// Returns the target to send, in the one encoding that is signed, for servers that do not normalise it before they verify
    /// the signature.
    static func spelled(_ target: String, withPath isWithPath: Bool) -> String {
        let path = target.prefix { $0 != "?" }
        guard path.endIndex < target.endIndex else { return isWithPath ? encodedOnce(path) : target }
        let query = target.dropFirst(path.count + 1).split(separator: "&").map { pair in
            pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { canonical($0) }
                .joined(separator: "=")
        }
        return (isWithPath ? encodedOnce(path) : String(path)) + "?" + query.joined(separator: "&")
    }

    /// Returns a path with unchanged segments in canonical encoding.
    private static func encodedOnce(_ path: Substring) -> String {
        path.isEmpty
            ? "/" : path.split(separator: "/", omittingEmptySubsequences: false).map { canonical($0) }.joined(separator: "/")
    }

    /// Returns a path without `.`, `..` and empty segments, in which encoded characters are encoded again.
    private static func encodedTwice(_ path: Substring) -> String {
        var segments: [Substring] = []
        for segment in path.split(separator: "/") {
            switch segment {
            case ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        let end = path.hasSuffix("/") && !segments.isEmpty ? "/" : ""
        return "/" + segments.map { PercentEncoding.encode($0.utf8) }.joined(separator: "/") + end
    }

    /// Returns a query sorted by names and values.
    private static func sorted(_ query: Substring) -> String {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (canonical(parts[0]), parts.count > 1 ? canonical(parts[1]) : "")
        }.sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Returns a value without spaces at its ends, and with single spaces within.
    private static func trimmed(_ value: String) -> String {
        value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
    }

    /// Returns a text with all bytes escaped except those of unreserved characters, whichever were escaped before.
    private static func canonical(_ text: Substring) -> String { PercentEncoding.encode(decode(text)) }

    /// Returns the bytes of a text. A `%` without two hexadecimal digits stands for itself.
    private static func decode(_ text: Substring) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap(Hexadecimal.value)
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(digits[0] << 4 | digits[1])
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
