#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The errors of requests: the method's own ones, or general ones if the spec has none for the failure.
extension PreparedProgram {
    /// Returns an error of the method, or a general one.
    ///
    /// - Parameters:
    ///   - number: The number of the method's error; `nil` if the spec has none for this failure.
    ///   - otherwise: The error if the method has none.
    func error(_ number: Int?, or otherwise: CountersignError) -> any Error {
        number.flatMap { error($0, otherwise.detail, otherwise) } ?? otherwise
    }

    /// Returns the error of requests if the application has no usable credential.
    func error(for failure: CredentialFailure, at server: Origin?) -> any Error {
        let number = program.failures[failure.kind]
        let place = server.map { " for \($0)" } ?? ""
        return switch failure {
        case .cancelled: error(number, or: CountersignError(.cancelled, detail: "the application gave no credential"))
        case .missing:
            error(number, or: CountersignError(.credentialMissing, detail: "the application has no credential\(place)"))
        case .unusable(let detail):
            number.flatMap { error($0, detail, failure) }
                ?? CountersignError(.invalidRequest, detail: "the application's credential cannot be used: \(detail)")
        }
    }

    /// Returns the error of requests after a failed flight.
    ///
    /// - Parameter origin: The server of the credential; `nil` for several.
    func error(of failure: any Error, at origin: Origin?) -> any Error {
        switch failure {
        case FlightFailure.cancelled, FlightFailure.busy:
            let isBusy = failure as? FlightFailure == .busy
            let otherwise = CountersignError(
                isBusy ? FlightFailure.busy : .cancelled, authenticationMethod: program.name, origin: origin)
            return error(program.failures[isBusy ? .busy : .cancelled], or: otherwise)
        case let failure as FlightFailure:
            var error = CountersignError(failure, authenticationMethod: program.name, origin: origin)
            error.isSilenceOfServer = failure == .timedOut && !isInteractive
            return error
        case let error as TransportError:
            // The error belongs to a request for the credential, not to the application's request.
            return CountersignError(
                .unreachable, detail: "a server that provides the credential could not be reached: \(error.detail)",
                authenticationMethod: program.name, origin: error.origin ?? origin)
        case let failure as ApplicationFailure: return failure.error
        case let error as CountersignError: return error.completed(authenticationMethod: program.name, origin: origin)
        default: return failure
        }
    }

    /// Returns the error of requests if there is no ticket, or if the security context fails for another reason.
    func error(of failure: SecurityContextError, at origin: Origin) -> any Error {
        guard failure.code != .serverNotProven else {
            return CountersignError(
                .serverNotProven, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        }
        let missing = CountersignError(
            .credentialMissing, detail: failure.detail, authenticationMethod: program.name, origin: origin)
        // Other failures, such as a missing library, would persist with a ticket.
        guard [.noTicket, .expiredTicket, .unknownServer].contains(failure.code) else { return missing }
        return error(program.failures[.missing], or: missing)
    }

    /// Returns the error of requests if a parameter is unusable.
    func unusable(_ detail: String, _ code: CountersignError.Code, at origin: Origin? = nil) -> any Error {
        error(
            program.failures[.invalidArgument],
            or: CountersignError(
                code, detail: detail, authenticationMethod: isOperation ? nil : program.name, origin: origin))
    }

    /// Returns a URL to which a login can be sent: encrypted, or on this machine.
    ///
    /// - Parameter name: The name of the URL in the spec, such as `{tokenEndpointURL}`.
    func address(_ url: URL?, calledAs name: String) throws -> URL {
        guard let url, url.user == nil, url.password == nil, let origin = Origin(url) else {
            throw unusable("\(name) is not an absolute http or https URL without a user", .invalidRequest)
        }
        try check(origin, calledAs: name)
        return url
    }

    /// Throws unless a login can be sent to a server.
    func check(_ origin: Origin, calledAs name: String) throws {
        guard !origin.isPrivate else { return }
        throw unusable(
            "\(name) leads to \(origin), where credentials would be sent unencrypted", .insecureDestination, at: origin)
    }

    /// Returns a template as it is written in the spec, such as `{loginURL}`.
    func spelling(of template: ProgramTemplate) -> String {
        template.pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .slot(let slot):
                program.slots[slot].name.contains("{") || program.slots[slot].name.contains("://")
                    ? program.slots[slot].name : "{\(program.slots[slot].name)}"
            case .requestOrigin: "{request.origin}"
            case .request(let part): "{request.\(part.rawValue)}"
            case .computed: "{computed}"
            }
        }.joined()
    }
}
