#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import HTTPTypes

/// The parameters of a method: a generated struct, from which the runtime reads values by slot.
public protocol ProgramParameters: Sendable {
    /// The method that they are for.
    static var program: MethodProgram { get }

    /// The values of the first of ``MethodProgram/slots``, as many as there are; all others are absent.
    var slotValues: [ProgramValue] { get }

    /// The application's last word on a token request; see ``TokenCall/preparation``. There is none by the default.
    func preparation(at slot: Int) -> RequestPreparation?

    /// An error of the method's own; that of ``MethodProgram/errors`` unless something else makes errors.
    ///
    /// - Parameters:
    ///   - number: Its number, counted through the cases of all ``MethodProgram/errors``.
    ///   - detail: What is wrong, for an error that says so; without secrets.
    ///   - cause: What has failed, for an error that carries it.
    /// - Returns: `nil` if there is none of the index, or if the cause has not what it carries.
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
    var values: [ProgramValue] {
        let values = slotValues
        return Self.program.slots.indices.map { $0 < values.count ? values[$0] : .absent }
    }
}

/// The parameters of one of several ways to the credential of a method, whose errors are those of the method.
public protocol GrantParameters: ProgramParameters {
    /// What the method's ways to its credential share.
    associatedtype Method: ProgramParameters
}

extension GrantParameters {
    public static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
        Method.error(number, detail, cause)
    }
}

/// Parameters that are good for one use, and those that take over: the first token comes by the one, renewals and every later login are the
/// business of the other.
public protocol OneTimeParameters: ProgramParameters {
    associatedtype Next: ProgramParameters

    /// How long after they are made they can be used; `nil` for as long as there is.
    static var life: Duration? { get }
    /// What takes over.
    var next: Next { get }
}

/// Asks the application on behalf of a method: generated, around the application's own object.
public protocol ProgramPrompting: Sendable {
    /// Asks.
    ///
    /// - Parameters:
    ///   - number: Which of the method's prompts.
    ///   - prompt: What the answer is for.
    /// - Returns: A value for each slot of the prompt; `nil` if the application has none.
    /// - Throws: `CancellationError` if the user gave up, or ``CredentialFailure``; any other error becomes that of the requests that wait.
    func answer(prompt number: Int, _ prompt: CredentialPrompt) async throws -> [ProgramValue]?

    /// Answers what servers want to know, where the program asks for that; there is nothing that does by the default.
    var input: (any LoginInputSource)? { get }
}

extension ProgramPrompting {
    public var input: (any LoginInputSource)? { nil }
}

/// What the application is asked for a credential with.
///
/// A user should be shown ``origin``, which will receive the answer: it is never what a server says of itself.
public struct CredentialPrompt: Sendable, Hashable {
    /// The server that will receive the answer first: that of the method's own request which takes it, or the one that the credential is for.
    public internal(set) var origin: Origin
    /// The address of the request that needs it.
    public let url: URL
    /// How many answers were refused in a row.
    public internal(set) var refusals: Int
    /// What the challenge says, by the names in the spec, such as `realm`. The server chose these texts: show them as such.
    public let challenge: [String: String]
    /// The head of the response that asks; `nil` where no server has been asked yet, or where it refuses connections.
    @_spi(Generated) public internal(set) var response: HTTPResponse?
    /// What was refused in a row, the latest at the end: the credentials' values, in the order of their slots.
    @_spi(Generated) public internal(set) var refused: [[ProgramValue]] = []

    /// Makes a prompt.
    public init(origin: Origin, url: URL, refusals: Int = 0, challenge: [String: String] = [:]) {
        self.origin = origin
        self.url = url
        self.refusals = refusals
        self.challenge = challenge
    }
}

extension CredentialPrompt: ReducedDescription {
    /// The origin, and how often an answer was refused.
    public var visibleParts: KeyValuePairs<String, String> { ["origin": "\(origin)", "refusals": "\(refusals)"] }
}

/// Why the application gives no credential.
public enum CredentialFailure: Error, Sendable, Hashable {
    /// The user gave up.
    case cancelled
    /// There is none.
    case missing
    /// What there is cannot be used, and why; without anything of it.
    case unusable(String)
}

/// A failure on the application's own way to a server, which is not one of the method's: requests end in it as it is.
struct ApplicationFailure: Error {
    let error: TransportError
}

extension CredentialFailure {
    /// As a method knows it.
    var kind: ProgramFailure {
        switch self {
        case .cancelled: .cancelled
        case .missing: .missing
        case .unusable: .unusable
        }
    }
}
