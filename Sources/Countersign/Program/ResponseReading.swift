#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A response as patterns look at it: its challenges and its JSON are read once, and only if a pattern asks for them.
struct ResponseReading {
    var head: ChallengedHead
    private let body: [UInt8]?
    private var tree: JSONTree??

    /// - Parameter body: The whole body; `nil` where only the head is looked at.
    init(_ response: HTTPResponse, from url: URL, body: [UInt8]? = nil) {
        head = ChallengedHead(response, from: url)
        self.body = body
    }

    /// The body as JSON; `nil` if it is none.
    mutating func json() -> JSONTree? {
        if let tree { return tree }
        let read = body.flatMap { JSONTree($0) }
        tree = .some(read)
        return read
    }
}
