#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

// A credential can be in the body of requests: as members of its JSON object, or of its form (RFC 6750, section 2.2). Only a body in
// memory with the right media type has a place for it. It is written anew for each send, so that the caller's body stays as it is.

/// The place of a credential in the body of requests.
struct BodyPlace: Sendable, Hashable {
    /// The format of a body that has members.
    enum Format: Sendable, Hashable {
        /// A JSON object (RFC 8259).
        case json
        /// A form, `application/x-www-form-urlencoded`.
        case form
    }

    let format: Format
    let names: [String]

    /// Whether a request can carry the members: its body is a JSON object or a form in memory, without members of these names. A
    /// request without a body gets one, if its method can have a body (RFC 9110, section 9.3).
    func isFree(in request: HTTPRequest, body: RequestBody) -> Bool {
        guard let bytes = body.bytesInMemory, Self.canChange(request.headerFields) else { return false }
        let type = request.headerFields[.contentType]
        guard !bytes.isEmpty else { return request.method.canHaveNewBody && (type.map(format.isNamed) ?? true) }
        guard let type, format.isNamed(by: type) else { return false }
        switch format {
        case .form: return !names.contains { FormText(bytes).has($0) }
        case .json:
            guard let object = JSONObjectText(bytes) else { return false }
            return !names.contains { object.has($0) }
        }
    }

    /// Whether no field describes the bytes of the body as they are.
    private static func canChange(_ fields: HTTPFields) -> Bool {
        !["Content-Encoding", "Content-Digest", "Repr-Digest", "Digest", "Content-MD5"].contains { name in
            HTTPField.Name(name).map { fields.contains($0) } ?? false
        }
    }
}

extension BodyPlace.Format {
    /// The media type of a new body.
    var mediaType: String {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        }
    }

    /// Whether the value of a `Content-Type` field names the format.
    func isNamed(by value: String) -> Bool {
        let type = value.prefix { !";\t ".contains($0) }.lowercased()
        return type == mediaType || self == .json && type.hasPrefix("application/") && type.hasSuffix("+json")
    }
}

/// The members that a credential adds to the body of a request.
///
/// They are created by methods with `json` or `form` under `attach`. Descriptions do not show the values.
public struct BodyMembers: Sendable, Hashable {
    /// A member.
    struct Member: Sendable, Hashable {
        let name: String
        /// The value: JSON as text, or the text of a form's field.
        let value: String
    }

    let format: BodyPlace.Format
    let members: [Member]

    /// Sets the header fields of a request for a body with the members.
    func describe(in request: inout HTTPRequest, body: RequestBody) {
        // The transport computes it.
        request.headerFields[.contentLength] = nil
        guard body.bytesInMemory?.isEmpty == true, !request.headerFields.contains(.contentType) else { return }
        request.headerFields[.contentType] = format.mediaType
    }

    /// Returns a body with the members at its end; `nil` if it has no place for them.
    func added(to body: RequestBody) -> RequestBody? {
        guard let bytes = body.bytesInMemory else { return nil }
        switch format {
        case .form: return .bytes(FormText(bytes).appending(members))
        case .json: return (bytes.isEmpty ? .empty : JSONObjectText(bytes))?.appending(members).map { .bytes($0) }
        }
    }
}

extension BodyMembers: ReducedDescription {
    /// The names of the members, without their values.
    public var visibleParts: KeyValuePairs<String, String> { ["names": members.map(\.name).joined(separator: ", ")] }
}

/// The bytes of a form.
private struct FormText {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func has(_ name: String) -> Bool {
        bytes.split(separator: UInt8(ascii: "&")).contains { part in
            FormParameters.Parameter(written: String(decoding: part, as: UTF8.self)[...]).name == name
        }
    }

    func appending(_ members: [BodyMembers.Member]) -> [UInt8] {
        let text = members.map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
        let isAtStart = bytes.isEmpty || bytes.last == UInt8(ascii: "&")
        return bytes + (isAtStart || text.isEmpty ? [] : [UInt8(ascii: "&")]) + Array(text.utf8)
    }
}

/// The bytes of a JSON object.
private struct JSONObjectText {
    private let bytes: [UInt8]
    /// The position of the closing brace.
    private let end: Int
    private let names: Set<[UInt8]>

    static var empty: JSONObjectText? { JSONObjectText(Array("{}".utf8)) }

    /// - Returns: `nil` if the bytes are not a JSON object.
    init?(_ bytes: [UInt8]) {
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{"),
            let end = bytes.lastIndex(where: { !$0.isJSONSpace }), bytes[end] == UInt8(ascii: "}"),
            let outline = try? JSONOutline(bytes, limits: .ofApplication), outline.isComplete
        else { return nil }
        self.bytes = bytes
        self.end = end
        names = Set(outline.names.map { JSONOutline.meaning(of: $0) })
    }

    func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }

    func appending(_ members: [BodyMembers.Member]) -> [UInt8]? {
        guard !members.isEmpty else { return bytes }
        let text = members.map { "\(JSONTemplate.quoted($0.name)):\($0.value)" }.joined(separator: ",")
        return bytes[..<end] + Array("\(names.isEmpty ? "" : ",")\(text)".utf8) + bytes[end...]
    }
}

extension UInt8 {
    /// Whether the byte is white space between tokens (RFC 8259, section 2).
    fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}

extension RequestBody {
    /// The bytes of the body; `nil` for a stream.
    var bytesInMemory: [UInt8]? {
        switch content {
        case .none: []
        case .bytes(let bytes): bytes
        case .restartable, .once: nil
        }
    }
}

extension HTTPRequest.Method {
    /// Whether a request without a body may get one. The others are not meant to have content.
    fileprivate var canHaveNewBody: Bool {
        switch self {
        case .get, .head, .options, .trace, .connect: false
        default: true
        }
    }
}
