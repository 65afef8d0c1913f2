internal import Countersign
internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension SessionRequest {
    /// A request of Foundation's, with its body, or with another.
    ///
    /// `httpBody` can be sent again; an `httpBodyStream` exists once, so a challenge to such a request ends in an error.
    ///
    /// - Throws: `CountersignError` with the code `invalidRequest`.
    init(_ request: URLRequest, body: RequestBody?) throws {
        guard let head = request.httpRequest else {
            throw CountersignError(.invalidRequest, detail: "the request has no URL, or a method that HTTP does not know")
        }
        let timeout = request.timeoutInterval > 0 ? Duration.seconds(request.timeoutInterval) : nil
        self.init(head, body: body ?? Self.body(of: request), timeout: timeout)
    }

    private static func body(of request: URLRequest) -> RequestBody {
        if let data = request.httpBody { return .bytes(data) }
        if let stream = request.httpBodyStream { return .once(InputStreamBytes(stream)) }
        return .none
    }
}
