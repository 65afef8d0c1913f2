#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The parameters of a method. A generated struct conforms, and the runtime reads its values by slot.
public protocol ProgramParameters: Sendable {
    /// The method of the parameters.
    static var program: MethodProgram { get }

    /// The values of the first slots of ``MethodProgram/slots``. Other slots are absent.
    var slotValues: [ProgramValue] { get }

    /// Returns the application's function that prepares a token request; see ``TokenCall/preparation``. `nil` by default.
    func preparation(at slot: Int) -> RequestPreparation?

    /// Returns an error of the method, by default that of ``MethodProgram/errors``.
    ///
    /// - Parameters:
    ///   - number: The number of the case, across all ``MethodProgram/errors``.
    ///   - detail: A description without secrets, for errors with a detail.
    ///   - cause: The underlying error, for errors that carry one.
    /// - Returns: `nil` if there is no such case, or if the cause lacks an associated value.
    static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)?
}

extension ProgramParameters {
    public var slotValues: [ProgramValue] { [] }

    public static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        var number = number
        for table in program.errors {
            if table.descriptions.indices.contains(number) { return table.error(number, ErrorCause(detail: detail, error: cause)) }
            number -= table.descriptions.count
        }
        return nil
    }

    public func preparation(at slot: Int) -> RequestPreparation? { nil }

    /// The values of all slots.
    package var values: [ProgramValue] {
        let values = slotValues
        return Self.program.slots.indices.map { $0 < values.count ? values[$0] : .absent }
    }
}

/// The parameters of one of several variants of a method. The errors are the method's.
public protocol GrantParameters: ProgramParameters {
    /// The shared parameters of the method's variants.
    associatedtype Method: ProgramParameters
}

extension GrantParameters {
    public static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        Method.error(number, detail, cause)
    }
}

/// Parameters for a single use, with their successors: the first token is obtained with these, renewals and later logins use the
/// successors.
public protocol OneTimeParameters: ProgramParameters {
    associatedtype Next: ProgramParameters

    /// The lifetime of the parameters from their creation; `nil` for an unlimited one.
    static var life: Duration? { get }
    /// The successors.
    var next: Next { get }
}

/// Asks the application for a method's credentials. Generated code wraps the application's own object.
public protocol ProgramPrompting: Sendable {
    /// Asks the application.
    ///
    /// - Parameters:
    ///   - number: The index of the prompt in the method.
    ///   - prompt: The request for a credential.
    /// - Returns: A value for each slot of the prompt; `nil` if the application has none.
    /// - Throws: `CancellationError` if the user cancelled, or ``CredentialFailure``. Pending requests fail with any other error.
    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]?

    /// Answers the input requests of servers, if the program has any; `nil` by default.
    var input: (any LoginInputSource)? { get }
}

extension ProgramPrompting {
    public var input: (any LoginInputSource)? { nil }
}

/// A request for a credential to the application.
///
/// Show the user ``origin``, the server that will receive the answer. It never comes from a text of the server.
public struct CredentialPrompt: Sendable, Hashable {
    /// The server that will receive the answer: the server of the method's own request that sends it, or the protected server.
    public internal(set) var origin: Origin
    /// The URL of the request that needs the credential.
    public let url: URL
    /// The number of refused answers in a row.
    public internal(set) var refusals: Int
    /// The captured values of the challenge by their names in the spec, such as `realm`. The server chose these texts; show them as
    /// such.
    public let challenge: [String: String]
    /// The head of the challenging response; `nil` if no server has sent one, or if it refused the connection.
    @_spi(Generated) public internal(set) var response: HTTPResponse?
    /// The refused credentials in a row, latest last. Each has its values in slot order.
    @_spi(Generated) public internal(set) var refused: [[ProgramValue]] = []

    /// Creates a prompt.
    public init(origin: Origin, url: URL, refusals: Int = 0, challenge: [String: String] = [:]) {
        self.origin = origin
        self.url = url
        self.refusals = refusals
        self.challenge = challenge
    }
}

extension CredentialPrompt: ReducedDescription {
    /// The origin, and the number of refused answers.
    public var visibleParts: KeyValuePairs<String, String> { ["origin": "\(origin)", "refusals": "\(refusals)"] }
}

/// The reason why the application provides no credential.
public enum CredentialFailure: Error, Sendable, Hashable {
    /// The user cancelled.
    case cancelled
    /// There is no credential.
    case missing
    /// The credential is unusable. The associated value describes the reason without secrets.
    case unusable(String)
}

/// A transport error of the application's own request to a server. It is not a failure of the method, so requests fail with the
/// unchanged error.
struct ApplicationFailure: Error {
    let error: TransportError
}

extension CredentialFailure {
    /// The failure for which the method may have an error.
    var kind: ProgramFailure {
        switch self {
        case .cancelled: .cancelled
        case .missing: .missing
        case .unusable: .unusable
        }
    }
}
