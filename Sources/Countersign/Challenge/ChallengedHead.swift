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
    /// What was read so far.
    private(set) var challenges: [AuthenticationChallenge.Field: [AuthenticationChallenge]] = [:]

    init(_ response: HTTPResponse, from url: URL) { self.init(response, from: LazyURL(url)) }

    init(_ response: HTTPResponse, from address: LazyURL) {
        self.response = response
        self.address = address
    }

    /// Where the response came from.
    var url: URL { address.url }

    /// The challenges of a field.
    mutating func challenges(in field: AuthenticationChallenge.Field) -> [AuthenticationChallenge] {
        if let challenges = challenges[field] { return challenges }
        let read = AuthenticationChallenge.challenges(in: response.headerFields, of: field)
        challenges[field] = read
        return read
    }
}
