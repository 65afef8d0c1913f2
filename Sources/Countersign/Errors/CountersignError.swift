#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
internal import HTTPTypes

/// A failure that belongs to the runtime and to no method: it says what happened, where, and what to do next, and holds no secret.
///
/// Failures that a method knows are thrown as the method's own generated error type. Everything else is this type.
public struct CountersignError: SecretFreeError, Sendable, Hashable {
    /// What went wrong: an open set with a bounded text each, fit for a metric's label.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A web login is needed and the session has no presenter.
        public static let noPresenter = Code(rawValue: "no-presenter")
        /// The request was challenged and its body cannot be sent a second time.
        public static let bodyNotReplayable = Code(rawValue: "body-not-replayable")
        /// The server went on challenging after authentication had succeeded.
        public static let challengedAgain = Code(rawValue: "challenged-again")
        /// Too many authentications in too short a time.
        public static let tooManyAuthentications = Code(rawValue: "too-many-authentications")
        /// More redirects than the session follows.
        public static let tooManyRedirects = Code(rawValue: "too-many-redirects")
        /// A redirect to a place that may not be followed: another scheme, from https to http, or no address at all.
        public static let redirectRefused = Code(rawValue: "redirect-refused")
        /// A body is larger than the limit for it.
        public static let responseTooLarge = Code(rawValue: "response-too-large")
        /// A limit of time was reached.
        public static let timedOut = Code(rawValue: "timed-out")
        /// The session was logged out, or another user logged in, while the request was on its way.
        public static let sessionEnded = Code(rawValue: "session-ended")
        /// The session was invalidated.
        public static let sessionInvalidated = Code(rawValue: "session-invalidated")
        /// The request has no absolute `http` or `https` URL, or one with a user name, or a method that is not one of HTTP.
        public static let invalidRequest = Code(rawValue: "invalid-request")
        /// A URL that should name an origin has no host, or a scheme other than `http` and `https`.
        public static let noOrigin = Code(rawValue: "no-origin")
        /// A presenter could not do what the flow needs.
        public static let presenterFailed = Code(rawValue: "presenter-failed")
        /// The server answered with an error in place of a login page, and the spec says what that means.
        public static let pageRefused = Code(rawValue: "page-refused")
        /// The answer of a login page cannot be trusted: it belongs to another login, comes from another server, or is not what it
        /// has to be.
        public static let answerRefused = Code(rawValue: "answer-refused")
        /// Two observers of a session lead to different authorization servers whose answers cannot be told apart: they come to the same
        /// redirect URL, and do not have to name two different issuers (RFC 9700, section 4.4).
        public static let sharedRedirect = Code(rawValue: "shared-redirect")
        /// The authorization server refused, and the method has no error for it.
        public static let refusedByServer = Code(rawValue: "refused-by-server")
        /// A token endpoint gave no token, and the method has no error for it.
        public static let tokenRequestFailed = Code(rawValue: "token-request-failed")
        /// What a server says, in a challenge or on the way to a credential, cannot be used: a value is longer than any that is known to be
        /// sent, has a control character, or is not what the spec says it is.
        public static let unusableChallenge = Code(rawValue: "unusable-challenge")
        /// A server names an address that its spec does not let it name: another origin, one without encryption, or none at all.
        public static let addressRefused = Code(rawValue: "address-refused")
        /// A token that says who has logged in is not signed by its issuer, is for another client, or has expired.
        public static let untrustedToken = Code(rawValue: "untrusted-token")
        /// A server has taken a ticket of the user's, and failed to prove who it is.
        public static let serverNotProven = Code(rawValue: "server-not-proven")
        /// A server answered a request on the way to a credential otherwise than its spec says.
        public static let unexpectedAnswer = Code(rawValue: "unexpected-answer")
        /// A server that a credential comes from could not be reached, or the connection to it was lost.
        public static let unreachable = Code(rawValue: "unreachable")
        /// A credential of the application is needed, and there is none.
        public static let credentialMissing = Code(rawValue: "credential-missing")
        /// A credential would have been sent unencrypted to another machine.
        public static let insecureDestination = Code(rawValue: "insecure-destination")
        /// An authentication was asked for while another of the same authenticator runs.
        public static let busy = Code(rawValue: "authentication-in-progress")
        /// The running authentication was cancelled.
        public static let cancelled = Code(rawValue: "authentication-cancelled")
        /// The server answered an operation with another status than those that say that it was done.
        public static let operationRefused = Code(rawValue: "operation-refused")
        /// A user has logged out, and a store still has their credential.
        public static let credentialNotDeleted = Code(rawValue: "credential-not-deleted")
        /// The observers did not let the request through.
        public static let refusedByObserver = Code(rawValue: "refused-by-observer")
    }

    /// What went wrong.
    public let code: Code
    /// A sentence on this occurrence, without secrets.
    public let detail: String
    /// The method's name in its spec (`SAML`), if the failure belongs to one.
    public private(set) var authenticationMethod: String?
    /// The HTTP method of the request.
    public private(set) var requestMethod: String?
    /// Where the request went: scheme, host and port only.
    public private(set) var origin: Origin?
    /// The status of the response that led here.
    public private(set) var status: Int?
    /// How long the server wants nothing of the kind, if it says so.
    var pause: Duration?

    /// Makes an error.
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

    /// The error with what a caller further out knows; what is known already stays. An error of another origin's keeps its own place: the
    /// caller's method and status belong to another request.
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

extension CountersignError: LocalizedError {
    public var errorDescription: String? { description }
    public var failureReason: String? { detail }
    /// What the reader can do about it.
    public var recoverySuggestion: String? {
        switch code {
        case .noPresenter: "Set a presenter on the session's configuration, or give one to the authenticator."
        case .bodyNotReplayable: "Send the body as bytes or as a restartable stream, or authenticate before sending it."
        case .challengedAgain: "Check that the account may use this resource and that the session's cookies reach it."
        case .tooManyAuthentications: "Wait, then try again; if it goes on, the server does not accept its own sessions."
        case .tooManyRedirects, .redirectRefused: "Check the server's redirects for this address."
        case .responseTooLarge: "Check that the address is the right one; raise the limit if the size is expected."
        case .timedOut: "Try again, or raise the limit."
        case .sessionEnded: "Send the request again in the new session."
        case .busy: "Wait until it has ended, or cancel it."
        case .cancelled: "Authenticate again when the user wants to."
        case .sessionInvalidated: "Make a new session."
        case .credentialMissing: "Give the observer a credential for this address."
        case .insecureDestination: "Use https."
        case .answerRefused: "Log in again; if it goes on, check which server the login page belongs to."
        case .noOrigin: "Give URLs with a host, and the scheme https or http."
        case .sharedRedirect: "Set the issuer of each server, or register a redirect URL of its own for each."
        case .refusedByServer: "Check what the client asks for, and that the server knows it."
        case .tokenRequestFailed: "Check the address of the token endpoint, and the client's name and secret."
        case .invalidRequest: "Give an absolute http or https URL without a user name."
        case .refusedByObserver: "Check the observer that the error names: it has to answer, with something that can be sent."
        case .pageRefused: "Do what the detail says; if the server has asked for the page, check the page's address."
        case .operationRefused: "Check the address of the operation, and do it again."
        case .credentialNotDeleted: "Delete the credential from its store, or log out again when the store can be written."
        case .addressRefused: "If the server may name that address, name it in the method's parameters."
        case .untrustedToken:
            "Check the issuer, the client's identifier and this machine's clock; if they are right, do not use this server."
        case .serverNotProven: "Do not use this server, unless its operator knows why it has no part in mutual authentication."
        case .unexpectedAnswer: "Check the address of the server, and that the spec describes its answers."
        case .unreachable: "Try again when the server can be reached."
        case .unusableChallenge: "Check the address of the server, and that the spec describes what it says."
        case .presenterFailed: "Check that the login page can be reached, and that it leads to the finish URL."
        default: nil
        }
    }
}
