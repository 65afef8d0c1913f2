#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

/// What an authorization server says went wrong, at its token endpoint (RFC 6749, section 5.2) or in a redirect (section 4.1.2.1).
///
/// The texts are the server's: cut to a sensible length and without control characters, but what they say is up to it. Some servers
/// quote the token that they reject. So descriptions, and with them logs, show the code alone; ask for ``message`` to show it to
/// the user.
public struct OAuth2ServerError: Error, Sendable, Hashable {
    /// A JSON object with what this error has of `error`, `error_description` and `error_uri`, or `nil` if the error did not come
    /// in JSON.
    ///
    /// It is written anew: nothing else of the server's answer is in it.
    public let responseData: Data?
    /// The `error`, such as `invalid_grant`; codes that no RFC knows are kept. `nil` if the server wrote no text there.
    public let code: String?
    /// The `error_description`: for developers, in English mostly.
    public let message: String?
    /// The `error_uri`: a page about the error. A server's text; check it before opening it.
    public let uri: String?
    /// The `state` that came with it.
    public let state: String?
    /// The HTTP method of the request that was refused; `nil` for a refusal that came in a redirect.
    public private(set) var requestMethod: String?
    /// Where the refusal came from, once the runtime knows it: scheme, host and port only.
    public private(set) var origin: Origin?
    /// The status of the answer; `nil` for a refusal that came in a redirect.
    public private(set) var status: Int?

    /// Makes an error.
    public init(code: String, message: String?, uri: String?, state: String?) {
        self.init(code: code, message: message, uri: uri, state: state, responseData: nil)
    }

    /// Makes an error; the texts are cleaned.
    init(code: String?, message: String?, uri: String?, state: String?, responseData: Data?) {
        self.responseData = responseData
        self.code = code.flatMap { Self.clean($0, length: 128) }
        self.message = message.flatMap { Self.clean($0, length: 1024) }
        self.uri = uri.flatMap { Self.clean($0, length: 2048) }
        self.state = state.flatMap { Self.clean($0, length: 1024) }
    }

    /// The error with where it came from.
    func completed(requestMethod: HTTPRequest.Method? = nil, origin: Origin?, status: Int? = nil) -> OAuth2ServerError {
        var error = self
        error.requestMethod = requestMethod?.rawValue
        error.origin = origin
        error.status = status
        return error
    }

    /// A text without what could disturb a terminal, a log or a reader's eye, and not longer than so many Unicode scalars.
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
