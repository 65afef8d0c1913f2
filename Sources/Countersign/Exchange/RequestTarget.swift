#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Where a request goes, once it is clear that it can go there.
///
/// Most requests never need their target as a `URL`, which costs more than all else that is done for one that no server challenges: it is
/// made when something asks for it.
struct RequestTarget {
    let origin: Origin
    let address: LazyURL
    /// What followed `#`; it stays here, and a redirect without one inherits it (RFC 9110, section 10.2.2).
    var fragment: String?

    /// Checks a request's target and takes the fragment off it.
    ///
    /// User and password in the address are refused: they would be a credential that no observer knows of. Field names and values
    /// need no check, since their types hold none that cannot be sent.
    ///
    /// - Parameter address: The target as a URL without a fragment, where there is one; `nil` makes it when it is needed.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest``.
    init(taking head: inout HTTPRequest, at address: LazyURL? = nil) throws {
        var fragment: String?
        if let path = head.path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(path[path.utf8.index(after: mark)...])
            head.path = String(path[..<mark])
        }
        guard let authority = head.authority, !authority.isEmpty, let path = head.path, path.utf8.first == UInt8(ascii: "/") else {
            throw Self.refusal(head, "the request has no absolute http or https URL")
        }
        self.fragment = fragment
        if let plain = Origin(scheme: head.scheme, plainAuthority: authority), path.isPlainTarget {
            origin = plain
            self.address = address ?? LazyURL(of: head)
            return
        }
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw Self.refusal(head, "the request's URL holds a user name; use an authentication method instead")
        }
        guard !authority.utf8.contains(where: { "/?#\\".utf8.contains($0) }), authority.utf8.allSatisfy(Self.isVisible),
            path.utf8.allSatisfy(Self.isVisible)
        else {
            throw Self.refusal(head, "the request's URL holds characters that cannot stand there")
        }
        guard let url = head.url, let origin = Origin(url) else {
            throw Self.refusal(head, "the request has no absolute http or https URL")
        }
        self.address = LazyURL(url)
        self.origin = origin
    }

    /// The URL without a fragment.
    var url: URL { address.url }

    /// The URL as a browser would show it.
    var urlWithFragment: LazyURL {
        guard let fragment else { return address }
        return LazyURL(URL(string: "\(url.absoluteString)#\(fragment)") ?? url)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func refusal(_ head: HTTPRequest, _ detail: String) -> CountersignError {
        CountersignError(.invalidRequest, detail: detail, requestMethod: head.method.rawValue)
    }
}

extension String {
    /// Whether a path, with its query, has letters, digits and signs alone that stand in one as they are (RFC 3986, sections 3.3 and 3.4), so
    /// that no URL is other than the text says.
    fileprivate var isPlainTarget: Bool {
        var text = self
        return text.withUTF8 { bytes in
            var index = 0
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "&")...UInt8(ascii: ";"),
                    UInt8(ascii: "?")...UInt8(ascii: "Z"),
                    UInt8(ascii: "="), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"), UInt8(ascii: "$"):
                    index += 1
                case UInt8(ascii: "%"):
                    guard index + 2 < bytes.count, bytes[index + 1].isHexadecimalDigit, bytes[index + 2].isHexadecimalDigit else {
                        return false
                    }
                    index += 3
                default: return false
                }
            }
            return true
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
