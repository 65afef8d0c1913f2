public import Countersign
internal import Foundation

/// The reason why the role service returned no user.
public enum SAPcpmsUserRolesError: Error, Sendable, Hashable {
    /// The response is not an HTTP response, or a subclass's `load(completionHandler:)` returned neither a user nor an error.
    case invalidServerResponse
    /// The status is not 200: 403 if the user has no permission, 404 for an unknown application, 412 if access control is disabled.
    case invalidHTTPStatus(statusCode: Int)
    /// The body does not describe a user.
    case malformed(type: MalformedType, description: String)

    /// The reason why a body is invalid.
    public enum MalformedType: Sendable, Hashable, CaseIterable {
        /// The body is not a JSON object.
        case json
        /// The identifier is missing, empty, or not a text.
        case id
        /// The user name is missing, empty, or not a text.
        case userName
    }
}

extension SAPcpmsUserRolesError: AuthenticationError, SAPError {
    public static var authenticationMethod: String { "role service" }
    public var code: String {
        switch self {
        case .invalidServerResponse: "invalidServerResponse"
        case .invalidHTTPStatus: "invalidHTTPStatus"
        case .malformed: "malformed"
        }
    }
    public var helpAnchor: String? { nil }
    public var description: String {
        switch self {
        case .invalidServerResponse: "The role service sent no valid response [invalidServerResponse]"
        case .invalidHTTPStatus(let status): "The role service answered with status \(status) [invalidHTTPStatus]"
        case .malformed(_, let description): "The role service's response is malformed: \(description) [malformed]"
        }
    }
    public var debugDescription: String { description }
    public var errorDescription: String? { description }
    public var failureReason: String? {
        switch self {
        case .invalidServerResponse:
            "The response is not an HTTP response, or the application's own client gave neither a user nor an error."
        case .invalidHTTPStatus(403): "The user may not ask for their roles."
        case .invalidHTTPStatus(404): "The server does not know the application."
        case .invalidHTTPStatus(412): "Access control is not enabled for the application."
        case .invalidHTTPStatus: "The role service returned no user."
        case .malformed(_, let description): "The role service's response does not identify the user: \(description)."
        }
    }
    public var recoverySuggestion: String? {
        switch self {
        case .invalidServerResponse: "Check that the role service's address is that of an HTTP server, then log in again."
        case .invalidHTTPStatus(401): "Log in again, with an account that the application knows."
        case .invalidHTTPStatus(403): "Give the user a role of the application, then log in again."
        case .invalidHTTPStatus(404): "Check the application's identifier in the role service's address, then log in again."
        case .invalidHTTPStatus(412): "Enable access control for the application, then log in again."
        case .invalidHTTPStatus: "Check the role service's address and the server's log, then log in again."
        case .malformed: "Check the role service's address, then log in again."
        }
    }
}
