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
    public var url: URL {
        get { address.url }
        set { address = LazyURL(newValue) }
    }
    /// The bytes that follow the head, read as they arrive.
    public var body: ResponseBody
    package var address: LazyURL

    /// Makes a response.
    public init(head: HTTPResponse, url: URL, body: ResponseBody) {
        self.init(head: head, address: LazyURL(url), body: body)
    }

    /// Makes a response.
    package init(head: HTTPResponse, address: LazyURL, body: ResponseBody) {
        self.head = head
        self.address = address
        self.body = body
    }
}
