#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The response that a session returns, with a body that streams.
public struct SessionResponse: Sendable {
    /// Status and fields.
    public var head: HTTPResponse
    /// Where the response came from, after redirects.
    public var url: URL
    /// The bytes that follow the head, read as they arrive.
    public var body: ResponseBody

    /// Makes a response.
    public init(head: HTTPResponse, url: URL, body: ResponseBody) {
        self.head = head
        self.url = url
        self.body = body
    }
}
