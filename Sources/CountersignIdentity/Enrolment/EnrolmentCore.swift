public import Countersign
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Executes the program of an enrolment, which leads to a certificate: what a generated class is made of.
///
/// The program's one credential is the identity, which its last step makes; what tells the service that a certificate is not needed any
/// more is its `end`.
public final class EnrolmentCore: Sendable {
    private let parameters: any ProgramParameters
    private let session: Session
    private let properties = Mutex<[Int: ProgramValue]>([:])
    private let runs = KeyedLocks()

    /// Makes a core.
    ///
    /// - Parameters:
    ///   - parameters: The values of the program's parameters.
    ///   - session: Sends the requests, and answers their challenges.
    public init(_ parameters: some ProgramParameters, session: Session) {
        self.parameters = parameters
        self.session = session
    }

    /// The text of a slot that `parameters` leaves open; `nil` for none.
    public subscript(slot: Int) -> String? {
        get { properties.withLock { $0[slot]?.text } }
        set {
            let isSecret = program.slots[slot].isSecret
            properties.withLock { $0[slot] = newValue.map { isSecret ? .secret($0) : .text($0) } }
        }
    }

    /// Obtains an identity; one run of an enrolment waits for the other.
    ///
    /// - Parameter input: Answers what the server wants to know.
    /// - Returns: A PKCS #12 archive without a password.
    /// - Throws: the method's errors; what the session throws; `ServerPinError` for a pin that is none; `CountersignError`.
    public func obtain(input: (any LoginInputSource)? = nil) async throws -> Data {
        // A service knows a login by its session, which a second run beside the first would take over.
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
                .timedOut, detail: "another run of the enrolment went on for a day", authenticationMethod: program.name)
        }
        guard let identity = CertificateMaker.identity(made) else {
            throw CountersignError(
                .invalidRequest, detail: "no step of the enrolment makes an identity", authenticationMethod: program.name)
        }
        return Data(try PKCS12Archive.write(identity).bytes)
    }

    /// Tells the service that a certificate is not needed any more.
    ///
    /// - Parameter archive: The identity, as ``obtain(input:)`` gave it.
    /// - Throws: ``IdentityError`` for bytes that are none; otherwise as ``obtain(input:)``.
    public func retire(_ archive: Data) async throws {
        // What has expired can be retired, too.
        let identity = try PKCS12Archive(reading: Array(archive), at: .distantPast).identity
        var runner = makeRunner(retiring: identity)
        try await perform { try await runner.run(program.end) }
    }

    /// Runs something for a caller that waits with a completion handler.
    ///
    /// - Parameters:
    ///   - completionHandler: Called once, on no particular thread.
    ///   - work: What is run.
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

    /// The reader of specs has ensured that there is one.
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
