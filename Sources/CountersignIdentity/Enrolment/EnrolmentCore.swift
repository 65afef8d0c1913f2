public import Countersign
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Executes the program of an enrolment, which obtains a certificate. Generated classes wrap it.
///
/// The program's only credential is the identity that its last step creates. The program's `end` revokes a certificate.
public final class EnrolmentCore: Sendable {
    private let parameters: any ProgramParameters
    private let session: Session
    private let properties = Mutex<[Int: ProgramValue]>([:])
    private let runs = KeyedLocks()

    /// Creates a core.
    ///
    /// - Parameters:
    ///   - parameters: The values of the program's parameters.
    ///   - session: The session that sends the requests and answers their challenges.
    public init(_ parameters: some ProgramParameters, session: Session) {
        self.parameters = parameters
        self.session = session
    }

    /// The text in a slot that `parameters` do not fill; `nil` for none.
    public subscript(slot: Int) -> String? {
        get { properties.withLock { $0[slot]?.text } }
        set {
            let isSecret = program.slots[slot].isSecret
            properties.withLock { $0[slot] = newValue.map { isSecret ? .secret($0) : .text($0) } }
        }
    }

    /// Obtains an identity. Runs of an enrolment do not overlap.
    ///
    /// - Parameter input: Answers the input requests of the server.
    /// - Returns: A PKCS #12 archive without a password.
    /// - Throws: The method's errors; the errors of the session; `ServerPinError` for an invalid pin; `CountersignError`.
    public func obtain(input: (any LoginInputSource)? = nil) async throws -> Data {
        // A service identifies a login by its session, so a concurrent run would interfere with it.
        let key = CredentialKey(program.name)
        let clock = ContinuousClock()
        let made = try await perform {
            try await runs.withLock(on: key, until: clock.now + .seconds(86_400), clock: clock) {
                var runner = makeRunner(asking: input)
                try await runner.run(program.acquire)
                return runner.values[identitySlot]
            }
        }
        guard let made else {
            throw CountersignError(
                .timedOut, detail: "another run of the enrolment did not end within a day", authenticationMethod: program.name)
        }
        guard let identity = CertificateMaker.identity(made) else {
            throw CountersignError(
                .invalidRequest, detail: "no step of the enrolment produces an identity", authenticationMethod: program.name)
        }
        return Data(try PKCS12Archive.write(identity).bytes)
    }

    /// Notifies the service that a certificate is no longer needed.
    ///
    /// - Parameter archive: The archive that ``obtain(input:)`` returned.
    /// - Throws: ``IdentityError`` for invalid bytes; the errors of ``obtain(input:)``.
    public func retire(_ archive: Data) async throws {
        // Expired certificates can be retired as well.
        let identity = try PKCS12Archive(reading: Array(archive), at: .distantPast).identity
        var runner = makeRunner(retiring: identity)
        try await perform { try await runner.run(program.end) }
    }

    /// Runs work for a caller with a completion handler.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on any thread.
    ///   - work: The work.
    public func report<Value: Sendable>(
        to completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        Task {
            do {
                completionHandler(try await work(), nil)
            } catch {
                completionHandler(nil, error)
            }
        }
    }

    private var program: MethodProgram { type(of: parameters).program }

    /// The slot of the identity. The spec parser ensures that there is one.
    private var identitySlot: Int { program.credential.fields.first?.slot ?? 0 }

    private func makeRunner(retiring identity: ClientIdentity? = nil, asking input: (any LoginInputSource)? = nil) -> StepRunner {
        var given = properties.withLock(\.self)
        if let identity { given[identitySlot] = .identity(identity.connectionIdentity) }
        return StepRunner(
            parameters, given: given, input: input, certificates: CertificateMaker(), in: session)
    }

    private func perform<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as CancellationError {
            throw program.failures[.cancelled].flatMap { type(of: parameters).error($0, "", error) } ?? error
        }
    }
}
