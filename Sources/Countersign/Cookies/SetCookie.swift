#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The contents of a `Set-Cookie` field, before its sender is checked (RFC 6265, section 5.2).
///
/// The field is parsed in one pass from left to right, and unknown attributes are not stored, so that the time is proportional to
/// the size of the field.
struct SetCookie {
    private(set) var name: String
    private(set) var value: String
    /// The domain in lower case, without the leading dot; empty for an attribute that consists only of that dot.
    private(set) var domain: String?
    /// The path; `nil` if there is none or it does not begin with a slash. The default path is then used.
    private(set) var path: String?
    private(set) var isSecure = false
    private(set) var isHTTPOnly = false
    /// `Strict`, `Lax` or `None`; anything else counts as absent.
    private(set) var sameSite: String?
    private var expires: Date?
    private var maximumAge: Double?

    private typealias Bytes = Substring.UTF8View

    /// Parses a field value; `nil` if it sets no cookie.
    init?(_ field: String, limits: CookieJar.Limits) {
        let field = field[...].utf8
        guard !Self.hasControlCharacter(field) else { return nil }
        var rest = field[...]
        let pair = Self.next(&rest)
        // A cookie must have a name (step 5). Browsers treat `=x` differently, and no server is known to need it.
        guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = Self.trimmed(pair[..<equals])
        let value = Self.trimmed(pair[pair.index(after: equals)...])
        guard !name.isEmpty, name.count + 1 + value.count <= limits.pairBytes else { return nil }
        self.name = String(Substring(name))
        self.value = String(Substring(value))
        while !rest.isEmpty { take(attribute: Self.next(&rest), limit: limits.attributeBytes) }
    }

    /// Returns the expiry date, with precedence of `Max-Age` over `Expires`; `nil` for the end of the session.
    func expiry(at now: Date) -> Date? {
        guard let maximumAge else { return expires }
        guard maximumAge > 0 else { return .distantPast }
        return min(now.addingTimeInterval(maximumAge), .distantFuture)
    }

    /// Whether the bytes contain a control character that no field may have. The tab is allowed.
    static func hasControlCharacter(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    private mutating func take(attribute: Bytes, limit: Int) {
        let equals = attribute.firstIndex(of: UInt8(ascii: "="))
        let name = Self.trimmed(attribute[..<(equals ?? attribute.endIndex)])
        let value = Self.trimmed(equals.map { attribute[attribute.index(after: $0)...] } ?? attribute[attribute.endIndex...])
        // All names below have such lengths. Most attributes of a hostile field are dropped here.
        guard (4...8).contains(name.count), value.count <= limit else { return }
        switch String(Substring(name)).lowercased() {
        case "expires": expires = CookieDate.date(from: Substring(value)) ?? expires
        case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
        case "domain":
            // An empty attribute is ignored, and the previous one is kept (section 5.2.3).
            guard !value.isEmpty else { return }
            domain = String(Substring(value.first == UInt8(ascii: ".") ? value.dropFirst() : value)).lowercased()
        case "path": path = value.first == UInt8(ascii: "/") ? String(Substring(value)) : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        case "samesite":
            let given = String(Substring(value)).lowercased()
            sameSite = ["Strict", "Lax", "None"].first { $0.lowercased() == given }
        default: break
        }
    }

    /// Parses digits with or without a minus sign; `nil` for anything else (section 5.2.2).
    private static func seconds(_ bytes: Bytes) -> Double? {
        let digits = bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Double(Substring(bytes))
    }

    /// Returns the bytes up to the next semicolon, which is skipped.
    private static func next(_ rest: inout Bytes) -> Bytes {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        let piece = rest[..<end]
        rest = end == rest.endIndex ? rest[end...] : rest[rest.index(after: end)...]
        return piece
    }

    private static func trimmed(_ bytes: Bytes) -> Bytes {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let leading = bytes.drop(while: isSpace)
        guard let last = leading.lastIndex(where: { !isSpace($0) }) else { return leading }
        return leading[...last]
    }
}
