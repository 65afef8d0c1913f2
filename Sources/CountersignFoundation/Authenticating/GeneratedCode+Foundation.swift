public import Countersign
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

@_spi(Generated)
extension GeneratedCodeVersion3 {
    /// Returns an application's request change as a function of the runtime.
    public static func preparation(_ handler: (@Sendable (URLRequest) throws -> URLRequest)?) -> RequestPreparation? {
        guard let handler else { return nil }
        return { head, body in
            guard var request = URLRequest(httpRequest: head) else {
                throw CountersignError(
                    .invalidRequest, detail: "the request cannot be converted to a URLRequest for the application")
            }
            request.httpBody = Data(body)
            let changed = try handler(request)
            guard changed.httpBodyStream == nil else {
                throw CountersignError(
                    .invalidRequest, detail: "the application gave a request a body stream; use bytes")
            }
            guard let changedHead = changed.head else {
                throw CountersignError(
                    .invalidRequest, detail: "the application changed a request so that it has no http or https URL")
            }
            head = changedHead
            // The previous length may no longer be correct.
            head.headerFields[.contentLength] = nil
            body = changed.httpBody.map(Array.init) ?? []
        }
    }

    /// Returns a response with the printable parts of another.
    public static func httpURLResponse(_ outline: ResponseOutline) -> HTTPURLResponse {
        let fields = Dictionary(
            outline.fields.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
        guard
            let response = HTTPURLResponse(
                url: outline.url, statusCode: outline.status, httpVersion: "HTTP/1.1", headerFields: fields)
        else {
            // The initializer fails only for unsupported HTTP versions.
            preconditionFailure("Foundation could not create an HTTP/1.1 response")
        }
        return response
    }
}
