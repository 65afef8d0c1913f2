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
public final class DiscoveryCore: Sendable {
    private let parameters: any ProgramParameters
    private let bearerSlot: Int?
    private let session: Session
    private let token = Mutex<String?>(nil)
    private let runs = KeyedLocks()

    /// Makes a core.
    ///
    /// - Parameters:
    ///   - parameters: The values of the program's parameters.
    ///   - bearer: The slot of the access token for its calls; `nil` if they take none.
    ///   - session: Sends the calls, and answers their challenges.
    public init(_ parameters: some ProgramParameters, bearer: Int? = nil, session: Session) {
        self.parameters = parameters
        bearerSlot = bearer
        self.session = session
    }

    /// An access token for the calls (RFC 6750); `nil` leaves them to the session's observers.
    public var bearer: String? {
        get { token.withLock(\.self) }
        set { token.withLock { $0 = newValue } }
    }

    /// Obtains an identity; one run of a discovery waits for the other.
    ///
    /// - Parameter input: Answers what the server wants to know.
    /// - Returns: A PKCS #12 archive without a password.
    /// - Throws: the discovery's error; what the session throws; `ServerPinError` for a pin that is none; `CountersignError`.
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
                .timedOut, detail: "another run of the discovery went on for a day", authenticationMethod: program.name)
        }
        guard let identity = CertificateMaker.identity(made) else {
            throw CountersignError(
                .invalidRequest, detail: "no step of the discovery makes an identity", authenticationMethod: program.name)
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
        var given: [Int: ProgramValue] = [:]
        if let bearerSlot, let bearer { given[bearerSlot] = .secret(bearer) }
        if let identity { given[identitySlot] = .identity(identity.connectionIdentity) }
        return StepRunner(
            parameters, given: given, pages: input.map(LoginPrompter.init), certificates: CertificateMaker(), in: session)
    }

    private func perform<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as CancellationError {
            throw program.failures[.cancelled].flatMap { type(of: parameters).error($0, "", error) } ?? error
        }
    }
}
