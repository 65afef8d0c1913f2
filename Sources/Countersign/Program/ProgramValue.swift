#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of a running ``MethodProgram``.
public enum ProgramValue: Sendable, Hashable {
    case absent
    case text(String)
    /// A secret text, which is never printed.
    case secret(String)
    case url(URL)
    case origins(ProtectedOrigins)
    case duration(Duration)
    /// A point in time, for an operation's results.
    case date(Date)
    /// JSON that a step has computed. It may contain secrets.
    case json(String)
    /// An XML element of a server. It may contain secrets.
    case xml(String)
    /// The cookies of a login.
    case cookies([Cookie])
    /// A client certificate with its key.
    case identity(ConnectionIdentity)
    /// A list of texts, joined by commas when it is written into a text.
    case texts([String])
    /// The application's answers to a ``PromptPage``, by name. They are never printed.
    case members([String: String])
    /// Bytes, such as a key, written into a text in Base64.
    case data(SecretBytes)

    /// Returns a text, or an absent value.
    @_spi(Generated) public static func given(_ text: String?) -> ProgramValue { text.map { .text($0) } ?? .absent }

    /// Returns a secret text, or an absent value.
    @_spi(Generated) public static func givenSecret(_ text: String?) -> ProgramValue { text.map { .secret($0) } ?? .absent }

    /// Returns a URL, or an absent value.
    @_spi(Generated) public static func given(_ url: URL?) -> ProgramValue { url.map { .url($0) } ?? .absent }

    /// Returns a duration, or an absent value.
    @_spi(Generated) public static func given(_ duration: Duration?) -> ProgramValue {
        duration.map { .duration($0) } ?? .absent
    }

    /// Returns origins, or an absent value.
    @_spi(Generated) public static func given(_ origins: ProtectedOrigins?) -> ProgramValue {
        origins.map { .origins($0) } ?? .absent
    }

    /// Returns `true` as a text, or an absent value.
    @_spi(Generated) public static func given(_ isTrue: Bool) -> ProgramValue { isTrue ? .text("true") : .absent }

    /// Returns scopes as sent in requests (RFC 6749, section 3.3), in a stable order; absent if there are none.
    @_spi(Generated) public static func given(_ scopes: Set<String>) -> ProgramValue {
        GeneratedCodeVersion3.text(of: scopes).map { .text($0) } ?? .absent
    }

    /// Returns a text, or an absent value if it is empty.
    @_spi(Generated) public static func nonempty(_ text: String?) -> ProgramValue {
        text.flatMap { $0.isEmpty ? nil : .text($0) } ?? .absent
    }

    /// Returns a list, or an absent value if it is empty.
    @_spi(Generated) public static func nonempty(_ texts: [String]) -> ProgramValue { texts.isEmpty ? .absent : .texts(texts) }

    /// The text form of the value; `nil` if it is absent or has none.
    package var text: String? {
        switch self {
        case .text(let text), .secret(let text): text
        case .url(let url): url.absoluteString
        case .texts(let texts): texts.isEmpty ? nil : texts.joined(separator: ",")
        case .data(let data): Data(data.bytes).base64EncodedString()
        case .absent, .origins, .duration, .date, .json, .xml, .cookies, .identity, .members: nil
        }
    }

    /// The parsed JSON value; `nil` for a value of another kind.
    var tree: JSONTree? { if case .json(let text) = self { JSONTree(Array(text.utf8)) } else { nil } }

    /// The value as a list of texts, which may be empty.
    package var texts: [String] { if case .texts(let texts) = self { texts } else { [text].compactMap(\.self) } }

    /// The value as a secret if it is a text; otherwise the value itself.
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
    /// The kind of value. The value itself is not shown, since it may be a secret.
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

/// A part of a request, as it is sent.
public enum RequestPart: String, Sendable, Hashable, CaseIterable {
    case method
    /// The host in lower case, with the port unless it is the scheme's default.
    case host
    /// The encoded path.
    case path
    /// The encoded query without its question mark; empty if there is none. It has the parameters that have been added so far.
    case query
    /// The request target: path and query.
    case target
    /// The bytes of the body.
    case body
}

/// A text with placeholders.
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
        /// A value that is computed from the request, by its index in ``CredentialPlacement/computed(_:headers:query:)``.
        case computed(Int)
    }

    public let pieces: [Piece]

    /// Creates a template.
    public init(_ pieces: Piece...) { self.pieces = pieces }

    /// Creates a template.
    public init(_ pieces: [Piece]) { self.pieces = pieces }

    /// Returns a template of a literal text.
    public static func text(_ text: String) -> ProgramTemplate { ProgramTemplate(.text(text)) }

    /// Returns a template of a slot's value.
    public static func slot(_ slot: Int) -> ProgramTemplate { ProgramTemplate(.slot(slot)) }

    /// Returns a template of a slot's value followed by a text, such as a URL with a path.
    public static func slot(_ slot: Int, then text: String) -> ProgramTemplate { ProgramTemplate(.slot(slot), .text(text)) }

    /// Returns a template of a part of the signed request.
    public static func request(_ part: RequestPart) -> ProgramTemplate { ProgramTemplate(.request(part)) }

    /// Returns a template of a computed value.
    public static func computed(_ number: Int) -> ProgramTemplate { ProgramTemplate(.computed(number)) }

    /// A template of the request's origin.
    public static var requestOrigin: ProgramTemplate { ProgramTemplate(.requestOrigin) }

    /// The slot if the template consists only of it; otherwise `nil`.
    package var loneSlot: Int? { if pieces.count == 1, case .slot(let slot) = pieces[0] { slot } else { nil } }

    /// The slots that the template uses.
    var slots: [Int] {
        pieces.compactMap { piece in
            if case .slot(let slot) = piece { slot } else { nil }
        }
    }

    /// Whether the template uses one of these slots.
    func uses(_ slots: [Int]) -> Bool {
        pieces.contains { piece in
            if case .slot(let slot) = piece { slots.contains(slot) } else { false }
        }
    }

    /// Returns the text, or `nil` if a value is absent.
    ///
    /// - Parameters:
    ///   - values: The values by slot.
    ///   - origin: The request's origin, if there is a request.
    package func text(_ values: [ProgramValue], origin: Origin? = nil) -> String? {
        if let loneSlot { return values[loneSlot].text }
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
    /// Returns the text as XML, with elements inserted unchanged, other values escaped, and absent values omitted; `nil` if a
    /// value has a character that XML does not allow.
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

    /// Returns the text as a URL, or `nil` if it is not a URL.
    ///
    /// A path after a URL is appended to the URL's own path with one slash, before its query; a query is appended to its query.
    /// Values are encoded as one path segment or one query value. A value such as `..`, which would change the path, makes the URL
    /// invalid.
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
                rest += PercentEncoding.encode(value.utf8)
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
    /// Creates a template without placeholders.
    public init(stringLiteral text: String) { self.init(.text(text)) }
}
