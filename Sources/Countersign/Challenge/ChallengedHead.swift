#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// The head of a response as signatures look at it: its challenges are read once, and only if a signature asks for them.
struct ChallengedHead {
    let response: HTTPResponse
    /// Where the response came from; few patterns ask for it.
    private let address: LazyURL
    /// The challenges of the server, once they were read.
    private(set) var serverChallenges: [AuthenticationChallenge]?
    /// Likewise those of a proxy.
    private(set) var proxyChallenges: [AuthenticationChallenge]?

    init(_ response: HTTPResponse, from url: URL) { self.init(response, from: LazyURL(url)) }

    init(_ response: HTTPResponse, from address: LazyURL) {
        self.response = response
        self.address = address
    }

    /// Where the response came from.
    var url: URL { address.url }

    /// The challenges of a field.
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
