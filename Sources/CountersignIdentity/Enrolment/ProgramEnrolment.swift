public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The base class of generated enrolments.
open class ProgramEnrolment: CancellableUserIdentityObtaining, @unchecked Sendable {
    // Unchecked, because the class is open: its properties are immutable and Sendable, and generated subclasses store nothing.

    @_spi(Generated) public let core: EnrolmentCore
    private let input: (any LoginInputSource)?

    /// Creates an enrolment.
    ///
    /// - Parameter input: Answers the input requests of the server; `nil` if it has none.
    @_spi(Generated) public init(_ core: EnrolmentCore, input: (any LoginInputSource)? = nil) {
        self.core = core
        self.input = input
    }

    /// Obtains an identity.
    ///
    /// - Parameter completionHandler: Called once, on any thread, with a PKCS #12 archive without a password, or with an error.
    @preconcurrency public final func obtainUserIdentity(
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        core.report(to: completionHandler) { try await self.obtainUserIdentity() }
    }

    /// Obtains an identity.
    ///
    /// - Returns: A PKCS #12 archive without a password. Its owner can act as the user.
    /// - Throws: An error of the method or of the session; `ServerPinError` for an invalid pin; `CancellationError` if the user
    ///   cancelled.
    public final func obtainUserIdentity() async throws -> Data { try await core.obtain(input: input) }
}

/// An enrolment whose service can revoke certificates.
open class RetirableEnrolment: ProgramEnrolment, @unchecked Sendable {
    // Unchecked like its superclass. It has no stored properties.

    /// Notifies the service that an identity is no longer needed.
    ///
    /// - Parameter identity: The archive that ``ProgramEnrolment/obtainUserIdentity()`` returned.
    /// - Throws: An error of the method or of the session; ``IdentityError`` for bytes that are not an archive.
    public final func retireUserIdentity(_ identity: Data) async throws { try await core.retire(identity) }

    /// Notifies the service that an identity is no longer needed.
    ///
    /// - Parameters:
    ///   - identity: The archive that ``ProgramEnrolment/obtainUserIdentity()`` returned.
    ///   - completionHandler: Called once, on any thread, with an error or `nil`.
    @preconcurrency public final func retireUserIdentity(
        _ identity: Data, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.report(to: { (_: Bool?, error: (any Error)?) in completionHandler(error) }) {
            try await self.retireUserIdentity(identity)
            return true
        }
    }
}
