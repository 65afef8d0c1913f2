internal import Foundation
internal import HTTPTypes
internal import HTTPTypesFoundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLResponse {
    /// Returns a response as Foundation's type, where the values of fields with the same name are joined with commas. The session
    /// has read the cookies before.
    static func converting(_ head: HTTPResponse, url: URL) -> URLResponse {
        if let fields = plainFields(of: head),
            let response = HTTPURLResponse(url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
        {
            return response
        }
        // The initializer fails only for unsupported HTTP versions.
        return HTTPURLResponse(httpResponse: head, url: url)
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// Returns the fields if no name is repeated and all values are ASCII; `nil` otherwise. It is faster than the conversion of
    /// HTTPTypes.
    private static func plainFields(of head: HTTPResponse) -> [String: String]? {
        var fields: [String: String] = [:]
        fields.reserveCapacity(head.headerFields.count)
        var names: [HTTPField.Name] = []
        names.reserveCapacity(head.headerFields.count)
        for field in head.headerFields {
            let value = field.value
            guard value.utf8.allSatisfy({ $0 < 0x80 }), !names.contains(field.name) else { return nil }
            names.append(field.name)
            fields[field.name.rawName] = value
        }
        return fields
    }
}
