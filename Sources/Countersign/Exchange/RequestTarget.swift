#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The target of a request, after its validation.
///
/// The `URL` is created on first use: most requests never need it, and it costs more than all other work for a request without a
/// challenge.
struct RequestTarget {
    let origin: Origin
    let address: LazyURL
    /// The fragment after `#`. It is not sent, and a redirect without a fragment inherits it (RFC 9110, section 10.2.2).
    var fragment: String?

    /// Checks a request's target, removes the fragment from it, and encodes the characters that a `URL` encodes.
    ///
    /// A user name or password in the URL is refused, since it would be a credential that no observer knows of. Field names and
    /// values need no check, since their types allow only valid ones.
    ///
    /// - Parameter address: The target as a URL without a fragment, if there is one; `nil` to create it on first use.
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
            throw Self.refusal(head, "the request's URL contains a user name; use an authentication method instead")
        }
        guard !authority.utf8.contains(where: { "/?#\\".utf8.contains($0) }), authority.utf8.allSatisfy(Self.isVisible),
            path.utf8.allSatisfy(Self.isVisible)
        else {
            throw Self.refusal(head, "the request's URL contains invalid characters")
        }
        guard let url = head.url, let origin = Origin(url) else {
            throw Self.refusal(head, "the request has no absolute http or https URL")
        }
        // Transports send the text that a `URL` has, so signatures must cover that.
        if !path.isPlainTarget { head.path = url.writtenTarget }
        self.address = LazyURL(url)
        self.origin = origin
    }

    /// The URL without a fragment.
    var url: URL { address.url }

    /// The URL with its fragment, as a browser shows it.
    var urlWithFragment: LazyURL {
        guard let fragment else { return address }
        return LazyURL(URL(string: "\(url.absoluteString)#\(fragment)") ?? url)
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func refusal(_ head: HTTPRequest, _ detail: String) -> CountersignError {
        CountersignError(.invalidRequest, detail: detail, requestMethod: head.method.rawValue)
    }
}

extension URL {
    /// The path and the query as they are sent.
    fileprivate var writtenTarget: String {
        let path = path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}

extension String {
    /// Whether a path with its query consists only of characters and percent-encoded bytes that a `URL` leaves unchanged (RFC
    /// 3986, sections 3.3 and 3.4).
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
                    guard index + 2 < bytes.count, Hexadecimal.value(of: bytes[index + 1]) != nil,
                        Hexadecimal.value(of: bytes[index + 2]) != nil
                    else { return false }
                    index += 3
                default: return false
                }
            }
            return true
        }
    }
}
