public import Foundation
import HTTPTypes

/// A request that a mock has received.
public struct ReceivedRequest: Sendable, Hashable {
    /// The HTTP method.
    public let method: String
    /// The path, without the query.
    public let path: String
    /// The header fields, by lowercase name.
    public let fields: [String: String]
    /// The first 64 KiB of the body.
    public let body: Data

    init(_ request: MockRequest) {
        method = request.method.rawValue
        path = request.path
        fields = Dictionary(request.fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
        body = Data(request.body)
    }
}

extension ReceivedRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the path. Header fields and body are not shown.
    public var description: String { "\(method) \(path), redacted" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["method": method, "path": path]) }
}
