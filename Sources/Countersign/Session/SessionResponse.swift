#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The response of a session, with a streaming body.
public struct SessionResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponse
    /// The URL of the response, after redirects.
    public var url: URL {
        get { address.url }
        set { address = LazyURL(newValue) }
    }
    /// The body, read as its bytes arrive.
    public var body: ResponseBody
    package var address: LazyURL

    /// Creates a response.
    public init(head: HTTPResponse, url: URL, body: ResponseBody) {
        self.init(head: head, address: LazyURL(url), body: body)
    }

    /// Creates a response.
    package init(head: HTTPResponse, address: LazyURL, body: ResponseBody) {
        self.head = head
        self.address = address
        self.body = body
    }
}
