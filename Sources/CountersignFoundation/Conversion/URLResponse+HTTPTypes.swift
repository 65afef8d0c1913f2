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
        if let fields = plainFields(of: head),
            let response = HTTPURLResponse(url: url, statusCode: head.status.code, httpVersion: "HTTP/1.1", headerFields: fields)
        {
            return response
        }
        // The initialiser is failable for the sake of versions of HTTP that it does not know; it is given 1.1.
        return HTTPURLResponse(httpResponse: head, url: url)
            ?? URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// Fields of which no two have one name, and all are of ASCII: what the conversion of HTTPTypes makes of them, in less time.
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
