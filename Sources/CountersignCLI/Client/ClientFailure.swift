import ArgumentParser
import Countersign
import CountersignDynamic
import CountersignSpec
import CountersignTesting
import Foundation

/// The failure that a command ends with: its description, a remedy, and the exit status.
struct ClientFailure {
    private let text: String
    private let remedy: String?
    private var words: ServerWords?
    let exit: ExitCode
    private var diagnostics: ([Diagnostic], SpecSources)?

    /// - Parameter method: The part of the command that names a method, for remedies.
    init(_ error: any Error, namingMethodsBy method: String = "'--method'") {
        switch error {
        case let error as CommandProblem: self.init(error.description, error.remedy, error.exit)
        case DynamicProblem.specs(let diagnostics, let sources):
            self.init("The specs have errors.", nil, CommandExit.badData)
            self.diagnostics = (diagnostics, sources)
        case DynamicProblem.missing(_, let name, _):
            self.init(
                "\(error)",
                "Give it with '--set \(name)=…', or under 'values' of the profile; secrets with '--set-env' or '--set-file'.",
                CommandExit.badData)
        case let error as DynamicProblem:
            let part = error.kindToName.map { $0 == "method" ? method : "'--\($0)'" }
            self.init(
                error.description, part.map { "Name one with \($0)." },
                error.isUsage ? CommandExit.usage : CommandExit.badData)
        case let error as CredentialStoreError:
            self.init(error.description, error.remedy, CommandExit.storeFailed)
        case let error as CountersignError: self.init(error.description, error.remedy, error.exit)
        case let error as TransportError:
            let remedy: String? =
                switch error.reason {
                case .connectionLost where error.origin?.scheme == "http":
                    "Try again. If the server has TLS at this port, write 'https:' in the URL."
                case .tls:
                    """
                    Check the address, the port and the server's certificate. If its authority is not one of the system's, give \
                    '--ca-file FILE'.
                    """
                case .clientCertificate:
                    "Use a method with a client certificate that the server accepts; 'countersign probe URL' names such methods."
                default: error.recoverySuggestion
                }
            self.init(error.description, remedy, CommandExit.unavailable)
        case let error as MockLandscapeError:
            self.init(
                error.description,
                "'countersign help mock' lists the mocks that do not follow from a spec, such as 'countersign mock OpenIDConnect'.",
                CommandExit.badData)
        case is CancellationError: self.init("The command was cancelled.", nil, CommandExit.interrupted)
        case let error as any AuthenticationError:
            self.init(error.description, Self.remedy(for: error), Self.exit(of: error))
        case let error as any SecretFreeError:
            self.init(error.description, (error as? any LocalizedError)?.recoverySuggestion, CommandExit.refused)
        // The description of another error may contain a secret, so only the type is shown.
        default:
            self.init(
                "The command failed with an error of type '\(type(of: error))'.",
                "Its text is not shown, because it can contain a secret.", CommandExit.failed)
        }
        words = ServerWords(of: error)
    }

    private init(_ text: String, _ remedy: String?, _ exit: ExitCode) {
        self.text = text
        self.remedy = remedy
        self.exit = exit
    }

    /// Returns the error that an error of a method has been made from; `nil` if there is none, or if it is unknown.
    private static func cause(of error: any AuthenticationError) -> (any Error)? {
        (error as? MethodError)?.cause ?? (error as? any DescribedError)?.occurrence.error
    }

    /// Returns the remedy for an error of a method. That of a spec is for every refusal of a server; denied access has one of its own.
    private static func remedy(for error: any AuthenticationError) -> String? {
        if let refusal = cause(of: error) as? OAuth2ServerError, refusal.code == "access_denied" {
            return refusal.recoverySuggestion
        }
        return error.recoverySuggestion
    }

    /// Returns the exit status for an error of a method: that of its cause, if the login was not refused.
    private static func exit(of error: any AuthenticationError) -> ExitCode {
        switch cause(of: error) {
        case let cause as CountersignError: cause.exit
        case is TransportError: CommandExit.unavailable
        default: CommandExit.refused
        }
    }

    /// Writes the description, the server's words and the remedy, each on one line.
    func show(on console: Console) {
        if let (diagnostics, sources) = diagnostics { console.show(diagnostics, in: sources) }
        console.report(problem: text, help: remedy, said: words)
    }

    /// The failure for JSON.
    var report: FailureReport.Failure { FailureReport.Failure(text, help: remedy, said: words, exit: exit) }

    /// Shows the failure, and ends a command with it.
    ///
    /// - Parameter json: Whether it is also written to the standard output as JSON.
    /// - Throws: The exit status.
    func end(on console: Console, json: Bool = false) throws -> Never {
        show(on: console)
        if json { try console.print(report) }
        throw exit
    }
}

extension DynamicProblem {
    /// The kind of what the command must name, or name otherwise: a method or a variant. `nil` for other problems.
    fileprivate var kindToName: String? {
        switch self {
        case .ambiguous(let kind, let known), .unknown(let kind, _, let known):
            known.isEmpty || !["method", "variant"].contains(kind) ? nil : kind
        case .specs, .missing, .invalid, .enrolment: nil
        }
    }

    /// Whether the command line lacks the name of a method or a variant, or has one that does not exist.
    fileprivate var isUsage: Bool {
        switch self {
        case .ambiguous(let kind, _), .unknown(let kind, _, _): ["method", "variant"].contains(kind)
        case .specs, .missing, .invalid, .enrolment: false
        }
    }
}

extension CredentialStoreError {
    /// The remedy for a user of the command.
    fileprivate var remedy: String? {
        switch code {
        case .keyUnavailable:
            "Without a Secret Service, create a key file: (umask 077; openssl rand -base64 32 > FILE), then add '--key-file FILE'. Or store nothing: '--no-store'."
        case .wrongKey: "Give the key that the store was created with, or delete the store's folder and sign in again."
        case .storeDamaged: "Restore that file from a backup, or delete the store's folder and sign in again."
        default: recoverySuggestion
        }
    }
}

extension CountersignError {
    /// The remedy for a user of the command.
    fileprivate var remedy: String? {
        switch code {
        case .credentialMissing: "Check the values of the method, which 'countersign explain' lists."
        case .timedOut: "Try again."
        case .cancelled: "Run the command again to sign in."
        default: recoverySuggestion
        }
    }

    /// The exit status of a command.
    fileprivate var exit: ExitCode {
        switch code {
        case _ where isOutage: CommandExit.unavailable
        case .unreachable: CommandExit.unavailable
        case .timedOut, .busy: CommandExit.temporary
        case .invalidRequest: CommandExit.badData
        case .cancelled, .operationRefused, .challengedAgain, .refusedByServer, .credentialMissing, .tokenRequestFailed,
            .unexpectedAnswer, .presenterFailed, .otherUser:
            CommandExit.refused
        case .credentialNotDeleted: CommandExit.storeFailed
        default: CommandExit.failed
        }
    }
}
