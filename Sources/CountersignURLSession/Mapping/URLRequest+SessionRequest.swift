internal import Countersign
internal import Foundation
internal import HTTPTypes
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLRequest {
    /// Converts a request.
    ///
    /// - Parameters:
    ///   - idleTimeout: The time limit for a server without any data; `nil` for none.
    ///   - upload: The body if it is a stream.
    /// - Throws: `TransportError` for a `GET` with a body, which `URLSession` does not send.
    init(_ request: SessionRequest, target: RequestTarget, idleTimeout: Duration?, upload: UploadFeed?) throws {
        self.init(url: target.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.interval(idleTimeout))
        let method = request.head.method
        httpMethod = method.rawValue
        httpShouldHandleCookies = false
        for (name, value) in Self.fields(of: request.head) { setValue(value, forHTTPHeaderField: name) }
        #if canImport(Security)
        if let upload {
            httpBodyStream = upload.makeInputStream()
            if let length = upload.length { setValue("\(length)", forHTTPHeaderField: "Content-Length") }
        }
        #endif
        if let data = request.body.data {
            httpBody = data
        } else if case .bytes(let bytes) = request.body.content {
            httpBody = Data(bytes)
        }
        let hasBody = upload != nil || httpBody?.isEmpty == false
        guard method != .get || !hasBody else {
            throw TransportError(
                .other, detail: "URLSession does not send a body with the method GET", requestMayHaveBeenProcessed: false)
        }
        // Otherwise, the body of a POST would be declared to be a form.
        if hasBody, value(forHTTPHeaderField: "Content-Type") == nil {
            setValue("application/octet-stream", forHTTPHeaderField: "Content-Type")
        }
        // A part of a compressed representation could not be decompressed.
        if value(forHTTPHeaderField: "Range") != nil, value(forHTTPHeaderField: "Accept-Encoding") == nil {
            setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
    }

    /// Returns the fields, with repeated ones joined (RFC 9110, section 5.3; for cookies, RFC 9113, section 8.2.3).
    private static func fields(of head: HTTPRequest) -> [(name: String, value: String)] {
        var places: [HTTPField.Name: Int] = [:]
        var fields: [(name: String, value: String)] = []
        // `URLSession` sets these itself.
        let own: Set = [.contentLength, .connection, .transferEncoding, HTTPField.Name("Host")]
        for field in head.headerFields where !own.contains(field.name) {
            if let place = places[field.name] {
                fields[place].value += (field.name == .cookie ? "; " : ", ") + field.value
            } else {
                places[field.name] = fields.count
                fields.append((field.name.rawName, field.value))
            }
        }
        return fields
    }

    /// Returns a time limit in seconds. On Linux, the fraction is ignored, and the limit 0 is over at once.
    private static func interval(_ limit: Duration?) -> TimeInterval {
        guard let limit else { return 7 * 24 * 3600 }
        let parts = limit.components
        let seconds = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
        #if canImport(Security)
        return max(seconds, 0.001)
        #else
        return max(seconds.rounded(.up), 1)
        #endif
    }
}
