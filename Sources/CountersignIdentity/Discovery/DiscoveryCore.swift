public import Countersign
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Executes a discovery: what a generated class is made of.
public final class DiscoveryCore<Values: DiscoveryValues, Failure: AuthenticationError>: Sendable {
    private let definition: IdentityDiscovery<Values, Failure>
    private let parameters: Values.Parameters
    private let session: Session
    private let token = Mutex<String?>(nil)
    private let runs = KeyedLocks()

    /// Makes a core.
    ///
    /// - Parameters:
    ///   - definition: The steps.
    ///   - parameters: What they are run with.
    ///   - session: Sends the calls, and answers their challenges.
    public init(_ definition: IdentityDiscovery<Values, Failure>, parameters: Values.Parameters, session: Session) {
        self.definition = definition
        self.parameters = parameters
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
        let key = CredentialKey(definition.name)
        let clock = ContinuousClock()
        let identity = try await perform {
            try await runs.withLock(on: key, until: clock.now + .seconds(86_400), clock: clock) {
                var run = try makeRun(Values(parameters: parameters), input: input)
                return try await run.identity(by: definition.obtain)
            }
        }
        guard let identity else {
            throw CountersignError(
                .timedOut, detail: "another run of the discovery went on for a day", authenticationMethod: definition.name)
        }
        return Data(try PKCS12Archive.write(identity).bytes)
    }

    /// Tells the service that a certificate is not needed any more.
    ///
    /// - Parameter archive: The identity, as ``obtain(input:)`` gave it.
    /// - Throws: ``IdentityError`` for bytes that are none; otherwise as ``obtain(input:)``.
    public func retire(_ archive: Data) async throws {
        var values = Values(parameters: parameters)
        // What has expired can be retired, too.
        values.identity = try PKCS12Archive(reading: Array(archive), at: .distantPast).identity
        var run = try makeRun(values, input: nil)
        try await perform { try await run.perform(definition.retire) }
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

    private func makeRun(
        _ values: Values, input: (any LoginInputSource)?
    ) throws -> DiscoveryRun<Values, Failure> {
        let pins = try ServerPins(definition.pins(parameters))
        return DiscoveryRun(name: definition.name, session: session, pins: pins, bearer: bearer, input: input, values: values)
    }

    private func perform<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch is CancellationError {
            if let cancellation = definition.cancellation { throw cancellation }
            throw CancellationError()
        }
    }
}
