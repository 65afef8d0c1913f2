#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a ``MethodProgram`` while it runs.
public enum ProgramValue: Sendable, Hashable {
    case absent
    case text(String)
    /// A text that nothing prints.
    case secret(String)
    case url(URL)
    case origins(ProtectedOrigins)
    case duration(Duration)
    /// A point in time, for an operation's results.
    case date(Date)
    /// JSON that a step has computed; it can have secrets in it.
    case json(String)
    /// An element of XML that a server has sent; it can have secrets in it.
    case xml(String)
    /// What a login has left.
    case cookies([Cookie])
    /// What connections are made with.
    case identity(ConnectionIdentity)
    /// Several texts; written into a text with commas between them.
    case texts([String])
    /// Texts by name, with which the application has answered a ``PromptPage``; nothing prints them.
    case members([String: String])
    /// Bytes, such as those of a key; written into a text in base64.
    case data(SecretBytes)

    /// A text, or none.
    @_spi(Generated) public static func given(_ text: String?) -> ProgramValue { text.map { .text($0) } ?? .absent }

    /// A text that nothing prints, or none.
    @_spi(Generated) public static func givenSecret(_ text: String?) -> ProgramValue { text.map { .secret($0) } ?? .absent }

    /// An address, or none.
    @_spi(Generated) public static func given(_ url: URL?) -> ProgramValue { url.map { .url($0) } ?? .absent }

    /// Servers, or none.
    @_spi(Generated) public static func given(_ origins: ProtectedOrigins?) -> ProgramValue {
        origins.map { .origins($0) } ?? .absent
    }

    /// What is true, or absent.
    @_spi(Generated) public static func given(_ isTrue: Bool) -> ProgramValue { isTrue ? .text("true") : .absent }

    /// Scopes as requests carry them (RFC 6749, section 3.3), in an order of their own; absent where there are none.
    @_spi(Generated) public static func given(_ scopes: Set<String>) -> ProgramValue {
        GeneratedCodeVersion3.text(of: scopes).map { .text($0) } ?? .absent
    }

    /// A text that is absent where it is empty.
    @_spi(Generated) public static func nonempty(_ text: String?) -> ProgramValue {
        text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .absent
    }

    /// A list that is absent where it is empty.
    @_spi(Generated) public static func nonempty(_ texts: [String]) -> ProgramValue { texts.isEmpty ? .absent : .texts(texts) }

    /// The value as it is written into a text; `nil` if it is absent, or cannot be written.
    package var text: String? {
        switch self {
        case .text(let text), .secret(let text): text
        case .url(let url): url.absoluteString
        case .texts(let texts): texts.isEmpty ? nil : texts.joined(separator: ",")
        case .data(let data): Data(data.bytes).base64EncodedString()
        case .absent, .origins, .duration, .date, .json, .xml, .cookies, .identity, .members: nil
        }
    }

    /// The JSON that it is; `nil` for any other value.
    var tree: JSONTree? { if case .json(let text) = self { JSONTree(Array(text.utf8)) } else { nil } }

    /// The value as texts, of which there may be none.
    package var texts: [String] { if case .texts(let texts) = self { texts } else { [text].compactMap(\.self) } }

    /// The value as one that nothing prints.
    var asSecret: ProgramValue { if case .text(let text) = self { .secret(text) } else { self } }

    /// The origins that the value names.
    var origins: ProtectedOrigins {
        switch self {
        case .origins(let origins): origins
        case .url(let url): ProtectedOrigins(origins: Set([url].compactMap { Origin($0) }))
        case .absent, .text, .secret, .duration, .date, .json, .xml, .cookies, .identity, .texts, .members, .data:
            ProtectedOrigins(origins: [])
        }
    }
}

extension ProgramValue: CustomStringConvertible {
    /// The kind of value: of none of them it is known that it is no secret.
    public var description: String {
        switch self {
        case .absent: "absent"
        case .text: "text"
        case .secret: "secret"
        case .url: "URL"
        case .origins: "origins"
        case .duration: "duration"
        case .date: "date"
        case .json: "JSON"
        case .xml: "XML"
        case .cookies: "cookies"
        case .identity: "identity"
        case .texts: "texts"
        case .members: "members"
        case .data: "data"
        }
    }
}

extension ProgramValue: CustomReflectable {
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .enum) }
}

/// A part of a request as it is sent.
public enum RequestPart: String, Sendable, Hashable, CaseIterable {
    case method
    /// The host in lower case, with the port unless it is the scheme's own.
    case host
    /// The path as it is encoded.
    case path
    /// The query as it is encoded, without its question mark; empty if there is none.
    case query
    /// Path and query as they stand in the request.
    case target
    /// The bytes of the body.
    case body
}

/// A text with values in it.
public struct ProgramTemplate: Sendable, Hashable {
    /// A part of the text.
    public enum Piece: Sendable, Hashable {
        case text(String)
        /// The value of a slot.
        case slot(Int)
        /// The origin of the request.
        case requestOrigin
        /// A part of the request that is signed.
        case request(RequestPart)
        /// A value that is worked out of the request, by its place in ``CredentialPlacement/computed(_:headers:)``.
        case computed(Int)
    }

    public let pieces: [Piece]

    /// Makes a template.
    public init(_ pieces: Piece...) { self.pieces = pieces }

    /// Makes a template.
    public init(_ pieces: [Piece]) { self.pieces = pieces }

    /// A text as it is.
    public static func text(_ text: String) -> ProgramTemplate { ProgramTemplate(.text(text)) }

    /// The value of a slot alone.
    public static func slot(_ slot: Int) -> ProgramTemplate { ProgramTemplate(.slot(slot)) }

    /// The value of a slot with a text behind it, such as a URL with a path.
    public static func slot(_ slot: Int, then text: String) -> ProgramTemplate { ProgramTemplate(.slot(slot), .text(text)) }

    /// A part of the request that is signed, alone.
    public static func request(_ part: RequestPart) -> ProgramTemplate { ProgramTemplate(.request(part)) }

    /// A value that is worked out of it, alone.
    public static func computed(_ number: Int) -> ProgramTemplate { ProgramTemplate(.computed(number)) }

    /// The origin of the request alone.
    public static var requestOrigin: ProgramTemplate { ProgramTemplate(.requestOrigin) }

    /// The slot, where that is all.
    var loneSlot: Int? { if pieces.count == 1, case .slot(let slot) = pieces[0] { slot } else { nil } }

    /// The slots whose values are a part of it.
    var slots: [Int] {
        pieces.compactMap { piece in
            if case .slot(let slot) = piece { slot } else { nil }
        }
    }

    /// Whether a value of one of these slots is a part of it.
    func uses(_ slots: [Int]) -> Bool {
        pieces.contains { piece in
            if case .slot(let slot) = piece { slots.contains(slot) } else { false }
        }
    }

    /// The text; `nil` if a value is absent.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - origin: The request's origin, where there is a request.
    package func text(_ values: [ProgramValue], origin: Origin? = nil) -> String? {
        var text = ""
        for piece in pieces {
            let part: String? =
                switch piece {
                case .text(let text): text
                case .slot(let slot): values[slot].text
                case .requestOrigin: origin?.description
                case .request, .computed: nil
                }
            guard let part else { return nil }
            text += part
        }
        return text
    }
}

extension ProgramTemplate {
    /// The text as XML: elements as they are, other values escaped, and without what is absent; `nil` if a value has a character that XML
    /// cannot have.
    func xml(_ values: [ProgramValue]) -> String? {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let literal): text += literal
            case .slot(let slot):
                if case .xml(let element) = values[slot] {
                    text += element
                } else {
                    guard let escaped = XMLTree.escaped(values[slot].text ?? "") else { return nil }
                    text += escaped
                }
            case .requestOrigin, .request, .computed: break
            }
        }
        return text
    }

    /// The text as an address; `nil` if it is none.
    ///
    /// A path behind a URL goes on from the URL's own, with one slash between, and before its query, which goes on likewise. Values in them
    /// are encoded, each as one segment of the path or one value of the query; one that would lead elsewhere, such as `..`, makes no address.
    package func url(_ values: [ProgramValue]) -> URL? {
        guard case .slot(let slot)? = pieces.first, case .url(let base) = values[slot] else {
            return text(values).flatMap { URL(string: $0) }
        }
        guard pieces.count > 1 else { return base }
        guard var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        var rest = ""
        for piece in pieces.dropFirst() {
            if case .text(let text) = piece {
                rest += text
            } else if let value = ProgramTemplate(piece).text(values) {
                rest += URLPiece.value(value).encoded
            } else {
                return nil
            }
        }
        let path = rest.prefix { $0 != "?" }
        guard !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else { return nil }
        if path.hasPrefix("/"), parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        parts.percentEncodedPath += path
        let queries = [parts.percentEncodedQuery ?? "", String(rest.dropFirst(path.count + 1))].filter { !$0.isEmpty }
        parts.percentEncodedQuery = queries.isEmpty ? nil : queries.joined(separator: "&")
        return parts.url
    }
}

extension ProgramTemplate: ExpressibleByStringLiteral {
    /// A text without values.
    public init(stringLiteral text: String) { self.init(.text(text)) }
}
