#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

/// An OAuth 2.0 error response of a token endpoint (RFC 6749, section 5.2) or in a redirect (section 4.1.2.1).
///
/// The texts are the server's, truncated and without control characters. Some servers quote the rejected token, so descriptions and
/// logs show only the code. Use ``message`` to show the server's text to the user.
public struct OAuth2ServerError: Error, Sendable, Hashable {
    /// A JSON object with the members `error`, `error_description` and `error_uri` of this error, or `nil` if the response was not
    /// JSON.
    ///
    /// It is encoded anew and contains nothing else of the response.
    public let responseData: Data?
    /// The `error`, such as `invalid_grant`. Unregistered codes are kept. `nil` if the member is not a text.
    public let code: String?
    /// The `error_description`, a text for developers, usually in English.
    public let message: String?
    /// The `error_uri`, the URL of a page about the error. The server chooses it; check it before opening it.
    public let uri: String?
    /// The `state` of the response.
    public let state: String?
    /// The HTTP method of the refused request; `nil` for an error in a redirect.
    public private(set) var requestMethod: String?
    /// The origin of the error response, if known.
    public private(set) var origin: Origin?
    /// The status of the response; `nil` for an error in a redirect.
    public private(set) var status: Int?
    /// The time for which the server asks to wait before another such request, counted from its response (`Retry-After`, RFC 9110,
    /// section 10.2.3), from zero to 366 days; `nil` if it did not say, and for an error in a redirect.
    public private(set) var retryAfter: Duration?

    /// Creates an error.
    public init(code: String, message: String?, uri: String?, state: String?) {
        self.init(code: code, message: message, uri: uri, state: state, responseData: nil)
    }

    /// Creates an error with cleaned texts.
    init(code: String?, message: String?, uri: String?, state: String?, responseData: Data?) {
        self.responseData = responseData
        self.code = code.flatMap { Self.clean($0, length: 128) }
        self.message = message.flatMap { Self.clean($0, length: 1024) }
        self.uri = uri.flatMap { Self.clean($0, length: 2048) }
        self.state = state.flatMap { Self.clean($0, length: 1024) }
    }

    /// Returns the error with the method of the request, and the origin, the status and `Retry-After` of the response.
    func completed(
        requestMethod: HTTPRequest.Method? = nil, origin: Origin?, status: Int? = nil, retryAfter: Duration? = nil
    ) -> OAuth2ServerError {
        var error = self
        error.requestMethod = requestMethod?.rawValue
        error.origin = origin
        error.status = status
        error.retryAfter = retryAfter
        return error
    }

    /// Returns a text without characters that could disturb a terminal, a log or a reader, truncated to a number of Unicode
    /// scalars.
    private static func clean(_ text: String, length: Int) -> String? {
        let scalars = text.unicodeScalars.lazy.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        let cleaned = String(String.UnicodeScalarView(scalars.prefix(length)))
        return cleaned.isEmpty ? nil : cleaned
    }
}
