public import Foundation
import HTTPTypes

/// A request as it arrived at a mock.
public struct ReceivedRequest: Sendable, Hashable {
    /// The method of HTTP.
    public let method: String
    /// The path, without the query.
    public let path: String
    /// The header fields, by their names in lower case.
    public let fields: [String: String]
    /// The body, of a longer one the first 64 KiB.
    public let body: Data

    init(_ request: MockRequest) {
        method = request.method.rawValue
        path = request.path
        fields = Dictionary(request.fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
        body = Data(request.body)
    }
}

extension ReceivedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the path; no field and no body is shown.
    public var description: String { "\(method) \(path), redacted" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "path": path]) }
}
