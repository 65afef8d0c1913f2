#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The head of a response for the comparison with signatures. Its challenges are parsed once, and only if a signature needs them.
struct ChallengedHead {
    let response: HTTPResponse
    /// The URL of the response. It is created lazily, since few patterns need it.
    private let address: LazyURL
    /// The server's challenges; `nil` before they are parsed.
    private(set) var serverChallenges: [AuthenticationChallenge]?
    /// The proxy's challenges; `nil` before they are parsed.
    private(set) var proxyChallenges: [AuthenticationChallenge]?

    init(_ response: HTTPResponse, from url: URL) { self.init(response, from: LazyURL(url)) }

    init(_ response: HTTPResponse, from address: LazyURL) {
        self.response = response
        self.address = address
    }

    /// The URL of the response.
    var url: URL { address.url }

    /// Returns the challenges of a field.
    mutating func challenges(in field: AuthenticationChallenge.Field) -> [AuthenticationChallenge] {
        let known = field == .wwwAuthenticate ? serverChallenges : proxyChallenges
        if let known { return known }
        let read = AuthenticationChallenge.challenges(in: response.headerFields, of: field)
        switch field {
        case .wwwAuthenticate: serverChallenges = read
        case .proxyAuthenticate: proxyChallenges = read
        }
        return read
    }
}
