#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// Where a request goes, once it is clear that it can go there.
struct RequestTarget {
    /// The URL without a fragment.
    let url: URL
    let origin: Origin
    /// What followed `#`; it stays here, and a redirect without one inherits it (RFC 9110, section 10.2.2).
    var fragment: String?

    /// Checks a request's target and takes the fragment off it.
    ///
    /// User and password in the address are refused: they would be a credential that no observer knows of. Field names and values
    /// need no check, since their types hold none that cannot be sent.
    ///
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest``.
    init(taking head: inout HTTPRequest) throws {
        var fragment: String?
        if let path = head.path, let mark = path.utf8.firstIndex(of: UInt8(ascii: "#")) {
            fragment = String(path[path.utf8.index(after: mark)...])
            head.path = String(path[..<mark])
        }
        guard let authority = head.authority, !authority.isEmpty, let path = head.path, path.utf8.first == UInt8(ascii: "/") else {
            throw Self.refusal(head, "the request has no absolute http or https URL")
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
        self.url = url
        self.origin = origin
        self.fragment = fragment
    }

    /// The URL as a browser would show it.
    var urlWithFragment: URL {
        guard let fragment else { return url }
        return URL(string: "\(url.absoluteString)#\(fragment)") ?? url
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func refusal(_ head: HTTPRequest, _ detail: String) -> CountersignError {
        CountersignError(.invalidRequest, detail: detail, requestMethod: head.method.rawValue)
    }
}
