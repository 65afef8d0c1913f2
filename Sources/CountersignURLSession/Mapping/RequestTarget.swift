internal import Countersign
internal import Foundation
internal import HTTPTypes

/// The target of a request.
struct RequestTarget: Sendable {
    let url: URL
    let isEncrypted: Bool

    /// - Throws: `TransportError` for a head without an absolute `http` or `https` URL.
    init(_ request: HTTPRequest) throws {
        guard let scheme = request.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let authority = request.authority, !authority.isEmpty
        else { throw Self.unusable("the request has no absolute http or https URL") }
        // `URLSession` would send user information as a Basic credential.
        guard !authority.utf8.contains(UInt8(ascii: "@")) else { throw Self.unusable("the request's URL has user information") }
        let path = request.path ?? "/"
        guard path.isEmpty || path.hasPrefix("/") || path.hasPrefix("?"),
            let url = URL(string: "\(scheme)://\(authority)\(path)", encodingInvalidCharacters: false), url.host()?.isEmpty == false
        else { throw Self.unusable("the request's URL is not valid") }
        guard url.port.map({ (0...65_535).contains($0) }) ?? true else {
            throw Self.unusable("the request's URL has a port that does not exist")
        }
        self.url = url
        isEncrypted = scheme == "https"
    }

    private static func unusable(_ detail: String) -> TransportError {
        TransportError(.other, detail: detail, requestMayHaveBeenProcessed: false)
    }
}
