internal import Countersign
internal import HTTPTypes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One run of a discovery's steps: what they leave for each other, and where they end.
struct DiscoveryRun<Values: DiscoveryValues, Failure: AuthenticationError> {
    let name: String
    let session: Session
    let pins: ServerPins?
    let bearer: String?
    let input: (any LoginInputSource)?
    var values: Values

    var key: IdentityKey?
    /// What the server said last.
    var answer: DiscoveryAnswer?
    /// Where the last request went to, and what came back.
    var place: (method: HTTPRequest.Method, origin: Origin?, status: Int?)?
    /// What the user has typed, which no error may bring back.
    var given: Set<String> = []

    init(
        name: String, session: Session, pins: ServerPins?, bearer: String?, input: (any LoginInputSource)?, values: Values
    ) {
        self.name = name
        self.session = session
        self.pins = pins
        self.bearer = bearer
        self.input = input
        self.values = values
    }

    /// Runs the steps to an identity.
    mutating func identity(by steps: [DiscoveryStep<Values, Failure>]) async throws -> ClientIdentity {
        try await perform(steps)
        // The reader of specs has ensured that the last step makes one.
        guard let identity = values.identity else { throw error(.invalidRequest, "no step of the discovery makes an identity") }
        return identity
    }

    /// Runs steps one after another.
    mutating func perform(_ steps: [DiscoveryStep<Values, Failure>]) async throws {
        for step in steps {
            try Task.checkCancellation()
            switch step {
            case .call(let step): try await mapping(step.failure) { try await $0.call(step) }
            case .rounds(let step): try await rounds(step)
            case .key(let step): try await mapping(step.failure) { try $0.makeKey(step) }
            case .certificateRequest(let step): try await mapping(step.failure) { try $0.makeRequest(step) }
            case .identity(let step): try await mapping(step.failure) { try $0.makeIdentity(step) }
            }
            session.report(SessionEvent(.ran(step: step.word), observer: name))
        }
    }

    /// Makes the discovery's error of a failure; without one, it is the runtime's, or the one that lies beneath.
    mutating func mapping<Value>(
        _ map: (DiscoveryFailure) -> Failure?, _ work: (inout Self) async throws -> Value
    ) async throws -> Value {
        do {
            return try await work(&self)
        } catch let failure as DiscoveryFailure {
            let error = map(failure) ?? unmapped(failure)
            report(error, after: failure)
            throw error
        }
    }

    /// Tells where a request failed: error cases that a spec fixes cannot say it.
    private func report(_ error: any Error, after failure: DiscoveryFailure) {
        let code = (error as? any AuthenticationError)?.code ?? (error as? CountersignError)?.code.rawValue
        guard let code, let place else { return }
        switch failure {
        case .status, .network, .missing:
            session.report(
                SessionEvent(
                    .unanswered(code: code, status: place.status), observer: name, origin: place.origin, requestMethod: place.method
                ))
        case .refused, .late, .endless, .name, .key, .certificate, .mismatch: break
        }
    }

    private func unmapped(_ failure: DiscoveryFailure) -> any Error {
        switch failure {
        case .network(let error), .refused(let error): error
        case .status(let status, let message):
            error(
                .operationRefused, message.isEmpty ? "the server answered with another status" : message, at: place?.origin,
                status: status)
        case .missing(let detail), .name(let detail), .certificate(let detail), .mismatch(let detail):
            error(.answerRefused, detail)
        case .late: error(.timedOut, "the input took too long")
        case .endless: error(.answerRefused, "the server went on asking for input")
        case .key: error(.answerRefused, "there is no such kind of key, or it could not be made")
        }
    }

    func error(
        _ code: CountersignError.Code, _ detail: String, at origin: Origin? = nil, status: Int? = nil
    ) -> CountersignError {
        CountersignError(code, detail: detail, authenticationMethod: name, origin: origin, status: status)
    }
}

extension DiscoveryRun: RedactedDescription {
    var visibleParts: KeyValuePairs<String, String> { ["name": name] }
}
