internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A final response for the caller, with its body unread or collected.
struct LoadedResponse: Sendable {
    let response: URLResponse
    let body: ResponseBody
    var data = Data()
    /// The announced size of the body in bytes; zero if unknown.
    var expectedSize: Int { max(0, Int(clamping: response.expectedContentLength)) }

    init(_ response: SessionResponse) {
        self.response = .converting(response.head, url: response.url)
        body = response.body
    }

    init(_ refused: RefusedRedirect) {
        response = .converting(refused.head, url: refused.url)
        body = ResponseBody()
    }
}

/// Thrown if an observer refuses a redirect, which then becomes the final response without its body.
struct RefusedRedirect: Error {
    let head: HTTPResponse
    let url: URL
}
