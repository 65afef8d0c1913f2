#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

/// An error of the runtime that belongs to no method. It names what happened, where, and the remedy, and contains no secret.
///
/// A failure that a method defines is thrown as the method's generated error type. All others have this type.
public struct CountersignError: SecretFreeError, Sendable, Hashable {
    /// The kind of error. The set is open, the texts are bounded, and values can be metric labels.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A login page has to be shown, and the session has no presenter.
        public static let noPresenter = Code(rawValue: "no-presenter")
        /// The request was challenged and its body cannot be sent a second time.
        public static let bodyNotReplayable = Code(rawValue: "body-not-replayable")
        /// The server refused a request that carried the credential, or challenged a request again after its challenge had been
        /// answered.
        public static let challengedAgain = Code(rawValue: "challenged-again")
        /// Too many authentications took place within ``SessionConfiguration/authenticationWindow``.
        public static let tooManyAuthentications = Code(rawValue: "too-many-authentications")
        /// An authentication or an operation would send more than 128 requests in a row, because a server always asks for another one.
        public static let tooManyExchanges = Code(rawValue: "too-many-exchanges")
        /// The exchange exceeded ``SessionConfiguration/maximumRedirects``.
        public static let tooManyRedirects = Code(rawValue: "too-many-redirects")
        /// A redirect is not allowed: to another scheme, from `https` to `http`, or without a valid URL.
        public static let redirectRefused = Code(rawValue: "redirect-refused")
        /// A response body exceeds its limit.
        public static let responseTooLarge = Code(rawValue: "response-too-large")
        /// A time limit was reached.
        public static let timedOut = Code(rawValue: "timed-out")
        /// The session was logged out, or another user logged in, while the request was running.
        public static let sessionEnded = Code(rawValue: "session-ended")
        /// The session was invalidated.
        public static let sessionInvalidated = Code(rawValue: "session-invalidated")
        /// The request has no absolute `http` or `https` URL, a URL with a user name, or an invalid HTTP method.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// A URL has no origin: no host, or a scheme other than `http` and `https`.
        public static let noOrigin = Code(rawValue: "no-origin")
        /// The presenter does not support a requirement of the flow.
        public static let presenterFailed = Code(rawValue: "presenter-failed")
        /// The server answered with an error status in place of a login page, and the spec explains that status.
        public static let pageRefused = Code(rawValue: "page-refused")
        /// The response of a login page cannot be trusted: it belongs to another login, comes from another server, or has an
        /// unexpected value.
        public static let answerRefused = Code(rawValue: "answer-refused")
        /// Two observers of a session use different authorization servers with the same redirect URL, and their responses cannot be
        /// distinguished by issuer (mix-up attack, RFC 9700, section 4.4).
        public static let sharedRedirect = Code(rawValue: "shared-redirect")
        /// The server refused the login, its parameters, or the proof of possession of its token, and the method has no error for
        /// it. See ``SessionConfiguration/refusedLoginInterval`` for a repetition.
        public static let refusedByServer = Code(rawValue: "refused-by-server")
        /// A token request failed, and the method has no error for it.
        public static let tokenRequestFailed = Code(rawValue: "token-request-failed")
        /// A value that a server sent, in a challenge or in a response during the login, is unusable: it is too long, has a control
        /// character, or violates the spec.
        public static let unusableChallenge = Code(rawValue: "unusable-challenge")
        /// A server names a URL that the spec does not allow: another origin, an unencrypted one, or an invalid one.
        public static let addressRefused = Code(rawValue: "address-refused")
        /// An ID token is not signed by its issuer, has another audience, or has expired.
        public static let untrustedToken = Code(rawValue: "untrusted-token")
        /// A token is for another user than the expected one, usually the one whose credential has ended. The requests of the former
        /// user are not sent as the new one.
        public static let otherUser = Code(rawValue: "other-user")
        /// Mutual authentication failed: the server accepted a Kerberos ticket and did not prove its own identity.
        public static let serverNotProven = Code(rawValue: "server-not-proven")
        /// A server's response during the login does not match the spec.
        public static let unexpectedAnswer = Code(rawValue: "unexpected-answer")
        /// A server that issues credentials could not be reached, or the connection was lost.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The application has to provide a credential and has none.
        public static let credentialMissing = Code(rawValue: "credential-missing")
        /// A credential would have been sent unencrypted to another machine.
        public static let insecureDestination = Code(rawValue: "insecure-destination")
        /// An authentication was started while another of the same authenticator was running, or another process with the same store
        /// did not finish obtaining the credential in time.
        public static let busy = Code(rawValue: "authentication-in-progress")
        /// The running authentication was cancelled, or the user has dismissed the login.
        public static let cancelled = Code(rawValue: "authentication-cancelled")
        /// The server answered an operation with a status that does not mean success.
        public static let operationRefused = Code(rawValue: "operation-refused")
        /// After a logout, a store still contains the user's credential.
        public static let credentialNotDeleted = Code(rawValue: "credential-not-deleted")
        /// An observer refused the request.
        public static let refusedByObserver = Code(rawValue: "refused-by-observer")
    }

    /// The kind of error.
    public let code: Code
    /// A sentence about this occurrence, without secrets.
    public let detail: String
    /// The method's name in its spec, such as `SAML`; `nil` if the error belongs to no method.
    public private(set) var authenticationMethod: String?
    /// The HTTP method of the request.
    public private(set) var requestMethod: String?
    /// The origin of the request.
    public private(set) var origin: Origin?
    /// The status of the response that caused the error.
    public private(set) var status: Int?
    /// The `error` with which an authorization server refused a login (RFC 6749, sections 4.1.2.1 and 5.2), such as
    /// `login_required` or `invalid_client`; `nil` for errors with another code than ``Code/refusedByServer``, and if the server
    /// sent none.
    public internal(set) var serverErrorCode: String?
    /// The server's explanation of a refused login, such as `error_description` (RFC 6749, section 5.2): one line of at most 300
    /// characters of Unicode, in which the secrets of the login are redacted; `nil` if the server sent none.
    ///
    /// For the user who has logged in. It can contain personal data, such as the user's name, so it is not a part of `description`
    /// and is not logged.
    public internal(set) var serverMessage: String?
    /// The time for which the server asks to wait before another such request, counted from its response (`Retry-After`, RFC 9110,
    /// section 10.2.3); `nil` if it did not say.
    ///
    /// From zero to 366 days; a longer time is shortened. The server's value is not checked, so limit it before waiting. It can be
    /// present with ``Code/unexpectedAnswer``, ``Code/operationRefused``, ``Code/answerRefused``, ``Code/refusedByServer`` and
    /// ``Code/tokenRequestFailed``, usually with status 429 or 503.
    public internal(set) var retryAfter: Duration?
    /// Whether an authentication that never involves the user has exceeded its time limit, and not because of the store, so that a
    /// server did not answer in time.
    package internal(set) var isSilenceOfServer = false

    /// Creates an error.
    public init(
        _ code: Code, detail: String, authenticationMethod: String? = nil, requestMethod: String? = nil,
        origin: Origin? = nil, status: Int? = nil
    ) {
        self.code = code
        self.detail = detail
        self.authenticationMethod = authenticationMethod
        self.requestMethod = requestMethod
        self.origin = origin
        self.status = status
    }

    /// Returns the error with values that a caller knows. Existing values are kept. An error with another origin keeps its own
    /// place, because the caller's method and status belong to another request.
    func completed(
        authenticationMethod: String? = nil, requestMethod: HTTPRequest.Method? = nil, origin: Origin? = nil, status: Int? = nil
    ) -> CountersignError {
        var error = self
        error.authenticationMethod = self.authenticationMethod ?? authenticationMethod
        guard self.origin == nil || origin == nil || self.origin == origin else { return error }
        error.requestMethod = self.requestMethod ?? requestMethod?.rawValue
        error.origin = self.origin ?? origin
        error.status = self.status ?? status
        return error
    }

    public var description: String {
        var place = [authenticationMethod, requestMethod, origin?.description].compactMap { $0 }
        if let status { place.append("status \(status)") }
        return place.isEmpty ? "\(detail) [\(code.rawValue)]" : "\(place.joined(separator: " ")): \(detail) [\(code.rawValue)]"
    }
}

extension CountersignError: CustomReflectable {
    /// The values for logs: without the server's message, which is for the user.
    public var customMirror: Mirror {
        let children: KeyValuePairs<String, Any> = [
            "code": code, "detail": detail, "authenticationMethod": authenticationMethod as Any,
            "requestMethod": requestMethod as Any, "origin": origin as Any, "status": status as Any,
            "serverErrorCode": serverErrorCode as Any, "retryAfter": retryAfter as Any,
        ]
        return Mirror(self, children: children, displayStyle: .struct)
    }
}

extension CountersignError {
    /// Whether a status is about the server's own state, so that the same request can have another response later.
    static func isOutage(status: Int) -> Bool { [408, 425, 429].contains(status) || status >= 500 }

    /// Whether the error code of a server is about its own state (RFC 6749, section 4.1.2.1; RFC 8628, section 3.5).
    static func isOutage(code: String) -> Bool { ["server_error", "temporarily_unavailable", "slow_down"].contains(code) }

    /// Whether the reason of the error is the server's own state, so that the same request can succeed later.
    package var isOutage: Bool {
        switch code {
        case .unexpectedAnswer, .operationRefused: status.map { Self.isOutage(status: $0) } ?? false
        case .refusedByServer: serverErrorCode.map { Self.isOutage(code: $0) } ?? false
        default: false
        }
    }
}

extension CountersignError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// The remedy, for developers or users.
    public var recoverySuggestion: String? {
        switch code {
        case _ where isOutage: "Try again later: the server is overloaded or has a failure."
        case .noPresenter: "Set a presenter on the session's configuration, or give one to the authenticator."
        case .bodyNotReplayable: "Send the body as bytes or as a restartable stream, or authenticate before sending it."
        case .challengedAgain: "Check the credential and its permissions, and that cookies of the login are sent to this address."
        case .tooManyAuthentications: "Wait, then try again; if the error persists, the server rejects its own sessions."
        case .tooManyExchanges: "Check the address of the server, and the repeated steps of the spec."
        case .tooManyRedirects, .redirectRefused: "Check the server's redirects for this address."
        case .responseTooLarge: "Check that the address is the right one; raise the limit if the size is expected."
        case .timedOut: "Try again, or raise the limit."
        case .sessionEnded: "Send the request again in the new session."
        case .busy: "Wait until the running authentication has ended, or cancel it."
        case .cancelled: "Authenticate again when the user wants to."
        case .sessionInvalidated: "Make a new session."
        case .credentialMissing: "Give the observer a credential for this address."
        case .insecureDestination: "Use https."
        case .answerRefused: "Log in again; if the error persists, check which server the login page belongs to."
        case .noOrigin: "Use URLs that have a host and the scheme https or http."
        case .sharedRedirect: "Set the issuer of each server, or register a redirect URL of its own for each."
        case .refusedByServer where serverErrorCode == "access_denied": OAuth2ServerError.remedyForDeniedAccess
        case .refusedByServer:
            "Check the user's credentials, or the client's credentials and registration; the detail may name the reason."
        case .tokenRequestFailed: "Check the address of the token endpoint, and the client's identifier and secret."
        case .invalidRequest:
            "Correct what the detail names: a request needs an absolute http or https URL without a user name, and usable values."
        case .refusedByObserver: "Check the observer that the error names: it must return a valid result."
        case .pageRefused: "Follow the instructions in the detail; if the server requires this page, check the page's address."
        case .operationRefused: "Check the address of the operation, then try again."
        case .credentialNotDeleted: "Delete the credential from its store, or log out again when the store can be written."
        case .addressRefused: "If requests to that address are intended, add it to the method's parameters."
        case .untrustedToken:
            "Check the issuer, the client's identifier and this machine's clock; if they are right, do not use this server."
        case .otherUser: "Log out before another user logs in, or have the user select the former account on the login page."
        case .serverNotProven:
            "Do not use this server, unless its operator can explain why it does not support mutual authentication."
        case .unexpectedAnswer: "Check the address of the server, and that the spec describes its responses."
        case .unreachable: "Try again when the server can be reached."
        case .unusableChallenge: "Check the address of the server, and that the spec describes the values that it sends."
        case .presenterFailed: "Check that the login page can be reached, and that it leads to the finish URL."
        default: nil
        }
    }
}
