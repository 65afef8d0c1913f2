public import Countersign

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An enrolment whose steps come from a spec: what generated classes have in common.
///
/// It is `@unchecked` for its subclasses, which are generated and hold nothing themselves.
open class ProgramEnrolment: CancellableUserIdentityObtaining, @unchecked Sendable {
    @_spi(Generated) public let core: EnrolmentCore
    private let input: (any LoginInputSource)?

    /// Makes an enrolment.
    ///
    /// - Parameter input: Answers what the server wants to know; `nil` where it wants to know nothing.
    @_spi(Generated) public init(_ core: EnrolmentCore, input: (any LoginInputSource)? = nil) {
        self.core = core
        self.input = input
    }

    /// Obtains an identity.
    ///
    /// - Parameter completionHandler: Called once, on no particular thread, with a PKCS #12 archive without a password, or with an error.
    @preconcurrency public final func obtainUserIdentity(
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        core.report(to: completionHandler) { try await self.obtainUserIdentity() }
    }

    /// Obtains an identity.
    ///
    /// - Returns: A PKCS #12 archive without a password. It is all that is needed to act as the user.
    /// - Throws: An error of the method or of the session; `ServerPinError` for a pin that is none; `CancellationError` where the user gave
    ///   up.
    public final func obtainUserIdentity() async throws -> Data { try await core.obtain(input: input) }
}

/// An enrolment whose service takes certificates back.
open class RetirableEnrolment: ProgramEnrolment, @unchecked Sendable {
    /// Tells the service that an identity is not needed any more.
    ///
    /// - Parameter identity: The archive, as ``ProgramEnrolment/obtainUserIdentity()`` gave it.
    /// - Throws: An error of the method or of the session; ``IdentityError`` for bytes that are no archive.
    public final func retireUserIdentity(_ identity: Data) async throws { try await core.retire(identity) }

    /// Tells the service that an identity is not needed any more.
    ///
    /// - Parameters:
    ///   - identity: The archive, as ``ProgramEnrolment/obtainUserIdentity()`` gave it.
    ///   - completionHandler: Called once, on no particular thread, with an error if there is one.
    @preconcurrency public final func retireUserIdentity(
        _ identity: Data, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        core.report(to: { (_: Bool?, error: (any Error)?) in completionHandler(error) }) {
            try await self.retireUserIdentity(identity)
            return true
        }
    }
}
