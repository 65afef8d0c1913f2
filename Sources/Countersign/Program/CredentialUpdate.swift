internal import HTTPTypes

/// A field of a credential that responses change, such as a token against cross-site requests that a server replaces.
public struct CredentialUpdate: Sendable, Hashable {
    /// The source of the new value.
    public enum Source: Sendable, Hashable {
        /// The first of these header fields that a response has once, and that is not empty.
        case headers([String])
        /// A cookie that a response sets, unless the server may not set it.
        case cookie(String)
    }

    /// The slot of the field.
    public let slot: Int
    public let source: Source

    /// Creates the change of a field.
    public init(_ slot: Int, from source: Source) {
        self.slot = slot
        self.source = source
    }
}

extension CredentialUpdate {
    /// The maximum size in bytes of a new value, as of a header field that servers commonly accept. It is also that of a value that is
    /// captured from a header field or a cookie.
    static let maximumSize = 8_192

    /// Returns the new value in a response; `nil` if there is none.
    func value(in response: HTTPResponse, of exchange: ExchangeContext) -> String? {
        let found: String?
        switch source {
        case .headers(let names):
            found =
                names.lazy.compactMap { name -> String? in
                    guard let name = HTTPField.Name(name) else { return nil }
                    let values = response.headerFields[values: name]
                    return values.count == 1 && !values[0].isEmpty ? values[0] : nil
                }.first
        case .cookie(let name):
            guard response.headerFields.contains(.setCookie) else { return nil }
            var reading = ResponseReading(response, in: exchange)
            found = reading.cookies()[name]
        }
        guard let found, !found.isEmpty, found.utf8.count <= Self.maximumSize else { return nil }
        return found
    }
}
