#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension ProgramObserver {
    /// Obtains the credential now, before any request needs it, for example when the user opens the application.
    ///
    /// ```swift
    /// session.register(observer)
    /// try await observer.authenticate(for: notes, in: session)
    /// ```
    ///
    /// Returns at once if the current credential has not expired. Otherwise the credential is read from the store, renewed, or
    /// obtained with the steps of the method, which may show a login page or ask the application. Challenged requests and other
    /// callers of this method share the authentication. A login that the user has dismissed before is shown again.
    /// The session's own cookies count as current until a server challenges a request.
    ///
    /// - Parameters:
    ///   - url: A URL that receives the credential.
    ///   - session: The session on which the observer is registered.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if the observer is not registered on the
    ///   session, if the server of `url` may not receive the credential, or if the steps depend on a challenge of the server, as
    ///   with HTTP Digest; the errors of ``Session/send(_:task:)``.
    public func authenticate(for url: URL, in session: Session) async throws {
        try requireRegistration(on: session)
        try await manager.authenticate(for: url, in: session)
    }

    /// Replaces the credential with one from elsewhere. Generated code has a method with the credential's own values.
    ///
    /// - Parameters:
    ///   - values: The values by slot; the others are absent.
    ///   - url: A URL of the server that receives it; `nil` if all servers of the method do.
    /// - Returns: Whether the store has saved it.
    @_spi(Generated) public func adopt(
        _ values: [Int: ProgramValue], for url: URL? = nil, in session: Session
    ) async throws -> Bool {
        try requireRegistration(on: session)
        return try await manager.adopt(values, for: url, in: session)
    }

    /// Returns the values of the current credential, or of the stored one if this process has none, without a request.
    ///
    /// Neither logs in nor renews, so the credential may have expired. Generated code has a method that returns the method's own
    /// type.
    ///
    /// - Parameter url: A URL that receives the credential; `nil` if all servers of the method have the same one.
    /// - Returns: `nil` if there is no credential, or if it depends on a challenge that this process has not received.
    /// - Throws: ``CountersignError`` with ``CountersignError/Code/invalidRequest`` if the observer is not registered on the
    ///   session, or if `url` is not an absolute http or https URL, with ``CountersignError/Code/timedOut`` if the store does not
    ///   answer within ``SessionConfiguration/flightTimeout``; ``CredentialStoreError``; an error of the application's store;
    ///   `CancellationError`.
    @_spi(Generated) public func credentialValues(
        for url: URL? = nil, in session: Session
    ) async throws -> CredentialValues? {
        try requireRegistration(on: session)
        return try await manager.values(for: url, in: session)
    }

    private func requireRegistration(on session: Session) throws {
        guard !session.isRegistered(self) else { return }
        throw CountersignError(
            .invalidRequest, detail: "the observer is not registered on the session",
            authenticationMethod: Parameters.program.name)
    }
}
