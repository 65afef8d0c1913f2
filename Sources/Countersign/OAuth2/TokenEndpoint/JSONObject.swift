#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A JSON object of a server, parsed within limits.
struct JSONObject {
    /// The value of a member, as far as responses use it.
    enum Value: Sendable {
        case text(String)
        case texts([String])
        case number(Double)
        case flag(Bool)
        case null
        /// An object, a mixed list, or a value that no Swift type represents.
        case other
    }

    private let members: [String: Value]

    /// The names of the members, in no order.
    var names: [String] { Array(members.keys) }

    /// Parses an object.
    ///
    /// - Parameters:
    ///   - bytes: The text in UTF-8; a byte order mark is skipped.
    ///   - unique: The names that must not be repeated. Others may be, since they are not read.
    init(_ bytes: [UInt8], unique: Set<String>) throws(OAuth2ResponseProblem) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let start = text.first(where: { !Self.isSpace($0) }) else { throw .truncated }
        guard start == UInt8(ascii: "{") else { throw .notJSON }
        let outline: JSONOutline
        do {
            outline = try JSONOutline(text)
        } catch {
            switch error {
            case .notUTF8: throw .notJSON
            case .tooComplex: throw .tooComplex
            }
        }
        guard outline.isComplete else { throw .truncated }
        var seen: Set<String> = []
        for name in outline.names.compactMap(Self.name) where unique.contains(name) {
            guard seen.insert(name).inserted else { throw .repeatedMember }
        }
        guard let members = try? JSONDecoder().decode([String: Value].self, from: Data(text)) else { throw .notJSON }
        self.members = members
    }

    /// The value of a member; `nil` if it is missing or `null`.
    subscript(name: String) -> Value? {
        switch members[name] {
        case .null?, nil: nil
        case let value?: value
        }
    }

    /// Returns the text of a member; `nil` if it is missing, empty, or not a text.
    func text(_ name: String) -> String? {
        guard case .text(let text)? = members[name], !text.isEmpty else { return nil }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private static func name(_ quoted: ArraySlice<UInt8>) -> String? {
        guard quoted.contains(UInt8(ascii: "\\")) else { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
        return try? JSONDecoder().decode(String.self, from: Data(quoted))
    }
}

extension JSONObject.Value: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let texts = try? container.decode([String].self) {
            self = .texts(texts)
        } else {
            self = .other
        }
    }
}

extension JSONObject: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { ["members": "\(members.count)"] }
}

extension JSONObject.Value: RedactedDescription {
    package var visibleParts: KeyValuePairs<String, String> { [:] }
}
