internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLResponse {
    /// A response in Foundation's words. Fields of one name become one, with commas between their values, as Foundation has it; the
    /// session takes the cookies before.
    static func told(_ head: HTTPResponse, url: URL) -> URLResponse {
        // The initialiser is failable for the sake of versions of HTTP that it does not know; it is given 1.1.
        HTTPURLResponse(httpResponse: head, url: url)
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }
}
