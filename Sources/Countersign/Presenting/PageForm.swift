#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A form that a browser posts in order to open a page.
///
/// Some of its values must not be in a URL, which browsers keep in their history. Never log them or put them into an error.
public struct PageForm: Sendable, Hashable {
    /// A field, which may be a secret.
    public struct Field: Sendable, Hashable {
        /// The name.
        public let name: String
        /// The value.
        public let value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The URL that receives the form.
    public let url: URL
    /// The fields, in order.
    public let fields: [Field]

    /// Creates a form.
    public init(url: URL, fields: [Field]) {
        self.url = url
        self.fields = fields
    }

    /// The media type of ``body``.
    public static let contentType = "application/x-www-form-urlencoded"

    /// The fields as the body of a request.
    public var body: String {
        fields.map { "\(FormEncoding.encode($0.name))=\(FormEncoding.encode($0.value))" }.joined(separator: "&")
    }
}

extension PageForm: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The origin of the URL and the number of fields.
    public var description: String {
        "PageForm(\(Origin(url)?.description ?? "no web address"), \(fields.count) fields, redacted)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["fields": fields.count], displayStyle: .struct) }
}

extension PageForm.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, without the value.
    public var description: String { "PageForm.Field(\(name), redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
}
