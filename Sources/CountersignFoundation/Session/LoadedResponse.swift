internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// A final response on its way to the caller: its bytes still to be read, or collected.
struct LoadedResponse: Sendable {
    let response: URLResponse
    let body: ResponseBody
    var data = Data()
    /// How many bytes the server says there are; none if it does not.
    var expectedSize: Int { max(0, Int(clamping: response.expectedContentLength)) }

    init(_ response: SessionResponse) {
        self.response = .told(response.head, url: response.url)
        body = response.body
    }

    init(_ refused: RefusedRedirect) {
        response = .told(refused.head, url: refused.url)
        body = ResponseBody()
    }
}

/// An observer did not let a redirect be followed: the redirect itself becomes the final response. Its body is gone by then.
struct RefusedRedirect: Error {
    let head: HTTPResponse
    let url: URL
}
