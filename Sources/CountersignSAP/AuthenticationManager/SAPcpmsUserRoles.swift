internal import Countersign
public import CountersignFoundation
public import Foundation
internal import Synchronization
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Requests the user of a session from the role service of SAP Mobile Services.
///
/// ```swift
/// let userInfo = try await SAPcpmsUserRoles(sapURLSession: session, roleServiceUrl: url).load()
/// ```
open class SAPcpmsUserRoles: @unchecked Sendable {
    // Unchecked, because the class is open: its own properties are immutable and Sendable, and subclasses are responsible for
    // theirs.

    /// The session that sends the request.
    public let sapURLSession: FoundationSession
    /// The URL of the current user's resource (`Me`).
    public let roleServiceUrl: URL
    /// The identifier that marks the request as one of an authentication handler; see `FoundationAuthenticationHandling`.
    private let requestBypassIdentifier: UUID?

    /// Creates a client of the role service.
    public init(sapURLSession: FoundationSession, roleServiceUrl: URL) {
        self.sapURLSession = sapURLSession
        self.roleServiceUrl = roleServiceUrl
        requestBypassIdentifier = nil
    }

    /// Creates one for an authentication handler, which must not wait for its own end.
    ///
    /// - Parameters:
    ///   - sapURLSession: The session that has logged in.
    ///   - roleServiceUrl: The URL of the role service.
    ///   - requestBypassIdentifier: The identifier that the handler received.
    public init(sapURLSession: FoundationSession, roleServiceUrl: URL, requestBypassIdentifier: UUID) {
        self.sapURLSession = sapURLSession
        self.roleServiceUrl = roleServiceUrl
        self.requestBypassIdentifier = requestBypassIdentifier
    }

    /// Requests the user.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with the user or with an error: ``SAPcpmsUserRolesError``,
    ///   `URLError`, or the error of an authentication.
    @preconcurrency open func load(completionHandler: @escaping @Sendable (SAPcpmsUserInfo?, (any Error)?) -> Void) {
        var request = URLRequest(url: roleServiceUrl)
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        let task = sapURLSession.dataTask(with: request) { data, response, error in
            if let error {
                if (error as? CountersignError)?.code == .responseTooLarge {
                    return completionHandler(nil, Self.failure(of: response) ?? SAPcpmsUserInfo.unreadable)
                }
                // The response is not HTTP.
                let isNoAnswer = (error as? URLError)?.code == .badServerResponse
                return completionHandler(nil, isNoAnswer ? SAPcpmsUserRolesError.invalidServerResponse : error)
            }
            do {
                completionHandler(try Self.read(data, response), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
        task.requestBypassIdentifier = requestBypassIdentifier
        task.maximumDataSize = SAPcpmsUserInfo.maximumSize
        task.taskDescription = "SAPcpms role service"
        task.resume()
    }

    /// Requests the user with ``load(completionHandler:)``. Only the first call of its completion handler has an effect.
    ///
    /// - Throws: ``SAPcpmsUserRolesError``, `URLError`, or the error of an authentication.
    public func load() async throws -> SAPcpmsUserInfo {
        try await withCheckedThrowingContinuation { continuation in
            // A subclass may call the handler more than once, but resuming a continuation twice is a fatal error.
            let waiting = Mutex<CheckedContinuation<SAPcpmsUserInfo, any Error>?>(continuation)
            load { userInfo, error in
                guard let continuation = waiting.withLock({ $0.take() }) else { return }
                if let userInfo { return continuation.resume(returning: userInfo) }
                continuation.resume(throwing: error ?? SAPcpmsUserRolesError.invalidServerResponse)
            }
        }
    }

    private static func read(_ data: Data?, _ response: URLResponse?) throws -> SAPcpmsUserInfo {
        if let failure = failure(of: response) { throw failure }
        return try SAPcpmsUserInfo(scim: data ?? Data())
    }

    /// Returns the error for the head of a response; `nil` for status 200.
    private static func failure(of response: URLResponse?) -> SAPcpmsUserRolesError? {
        guard let response = response as? HTTPURLResponse else { return .invalidServerResponse }
        return response.statusCode == 200 ? nil : .invalidHTTPStatus(statusCode: response.statusCode)
    }
}
