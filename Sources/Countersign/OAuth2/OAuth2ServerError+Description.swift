#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension OAuth2ServerError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The code, if it has the form of an error code.
    public var description: String { "OAuth2ServerError(\(shownCode), \(redacted))" }
    public var debugDescription: String { description }

    // `dump(_:)` and loggers that use reflection read the mirror.
    public var customMirror: Mirror { Mirror(self, children: ["code": shownCode], displayStyle: .struct) }

    /// The code if it is a word. Anything else may be a misplaced token, and is not shown.
    private var shownCode: String {
        guard let code else { return "no code" }
        let isWord =
            code.utf8.count <= 40
            && code.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            }
        return isWord ? code : "unusual code"
    }
}

extension OAuth2ServerError: LocalizedError {
    public var errorDescription: String? { "The authorization server refused the request (\(shownCode))." }

    /// The meaning of the code, and the origin of the response.
    public var failureReason: String? {
        let texts = [meaning, place].compactMap { $0 }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private var place: String? {
        guard let origin else { return nil }
        guard let status else { return "The response came from a page at \(origin)." }
        return "\([requestMethod, origin.description].compactMap { $0 }.joined(separator: " ")) was answered with status \(status)."
    }

    private var meaning: String? {
        switch code {
        case "invalid_grant": "The session has ended, was revoked, or belongs to another client."
        case "invalid_token": "The session has ended, or was revoked."
        case "invalid_client": "The server does not know the client, or the client's authentication failed."
        case "unauthorized_client": "The client is not permitted to use this grant or response type."
        case "unsupported_grant_type", "unsupported_response_type": "The server does not support this grant or response type."
        case "invalid_scope": "A scope is unknown, malformed, or exceeds what is permitted."
        case "invalid_request": "The server does not understand the request."
        case "access_denied": "The user or the server refused access."
        case "server_error", "temporarily_unavailable": "The server has an internal error, or is temporarily unavailable."
        default: nil
        }
    }

    /// The remedy for `access_denied`: the user or the server's policy has refused, which the code does not distinguish (RFC 6749,
    /// section 4.1.2.1).
    static var remedyForDeniedAccess: String {
        """
        Log in again, and allow the access that the server's page asks for. If it was not refused there, an administrator of the \
        server has to permit it for the user, the client and the scopes.
        """
    }

    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        switch code {
        case "invalid_grant", "invalid_token": "Log in again."
        case "access_denied": Self.remedyForDeniedAccess
        case "invalid_client", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type":
            "Compare the client's settings with its registration at the server."
        case "invalid_scope": "Ask for scopes that the client is registered for."
        case "invalid_request": "Check the addresses and parameters of the configuration."
        case "server_error", "temporarily_unavailable": "Try again later."
        default: nil
        }
    }
}
