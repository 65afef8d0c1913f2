#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes
internal import Synchronization

/// The state of one exchange's security context: its current leg, and its exclusive connection if it needs one.
///
/// A leg is a client token in `Authorization` and a server token in `WWW-Authenticate` (RFC 4559, section 4). Kerberos needs one
/// leg over any connection. A context of several legs is bound to the connection of the first leg. The number of legs is unknown
/// before the server has answered: if there are several, the context starts again over an exclusive connection, unless it has one
/// from the start, as with mechanisms other than Kerberos.
public final class NegotiationHandshake: Sendable {
    private struct State {
        /// `nil` before the first leg, and after the context has failed.
        var context: (any SecurityContext)?
        /// Whether the context needs no further token from the server.
        var isComplete = false
        /// The number of tokens that the context has created.
        var legs = 0
        /// The number of connections when the server answered the first leg.
        var connections = 0
        /// Whether the context was started again after a connection was lost.
        var hasRestarted = false
        /// The next token of a context that has begun.
        var token: [UInt8]?
        /// Whether the server has asked for the context over the connection.
        var isAsked = false
        /// The exclusive connection of the exchange; `nil` for any connection.
        var connection: ExclusiveConnection?
    }

    /// The meaning of a response for the context.
    enum Outcome: Sendable {
        /// Another leg follows, so the request is sent again.
        case next
        /// The response is not a part of the context, or both sides are authenticated.
        case settled
        /// The server was not authenticated, or a further leg failed on this side.
        case failed(any Error)
    }

    private let state: Mutex<State>
    /// Whether the server must authenticate itself, which Kerberos supports.
    private let needsProof: Bool

    init(over connection: ExclusiveConnection?, needsProof: Bool) {
        state = Mutex(State(connection: connection))
        self.needsProof = needsProof
    }

    /// Whether the context has taken one leg so far.
    var hasOneLeg: Bool { state.withLock { $0.legs == 1 } }

    /// Whether the server has asked for the context over the connection of its legs.
    var isAsked: Bool { state.withLock(\.isAsked) }

    /// The connection of the legs; `nil` for any connection.
    var connection: ExclusiveConnection? { state.withLock(\.connection) }

    /// Returns the token of the next leg: of the current context, otherwise of a new one.
    ///
    /// - Parameter make: Creates a context.
    /// - Throws: `SecurityContextError`; `CancellationError`.
    func token(_ make: () async throws -> any SecurityContext) async throws -> [UInt8]? {
        if let token = state.withLock({ $0.token.take() }) { return token }
        let context = try await make()
        let step = try await context.next(after: nil)
        state.withLock { state in
            state.context = context
            state.isComplete = step.isComplete
            state.legs = 1
        }
        return step.token
    }

    /// Processes a response.
    func receive(_ response: HTTPResponse) async -> Outcome {
        let (context, isComplete) = state.withLock { state in
            if response.status == .unauthorized { state.isAsked = true }
            if state.legs == 1 { state.connections = state.connection?.count ?? 0 }
            return (state.context, state.isComplete)
        }
        guard let context else { return .settled }
        let challenge = AuthenticationChallenge.challenges(in: response.headerFields).first { $0.hasScheme("Negotiate") }
        let token = challenge?.token68.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        guard response.status == .unauthorized else {
            let outcome = await conclude(context, isComplete, with: token, response.status)
            end()
            return outcome
        }
        guard let token, !isComplete else { return restart() ? .next : .settled }
        do {
            let step = try await context.next(after: token)
            guard let next = step.token else {
                end()
                return .settled
            }
            guard let connection else {
                // The server keeps the context with the connection, which other requests use too, so the context starts again
                // over an exclusive one.
                state.withLock { $0 = State(connection: ExclusiveConnection()) }
                return .next
            }
            guard connection.count > 0 else {
                end()
                return .failed(
                    CountersignError(
                        .refusedByObserver,
                        detail:
                            "a security context of several legs needs its own connection, which the transport does not support"))
            }
            state.withLock { state in
                state.token = next
                state.legs += 1
                state.isComplete = step.isComplete
            }
            return .next
        } catch {
            end()
            // If the context rejects the token of a 401 response, the server has refused the client.
            return error is SecurityContextError ? .settled : .failed(error)
        }
    }

    /// Starts the context again if the connection was closed between two legs, because the server that answers knows nothing of
    /// the first.
    ///
    /// - Returns: Whether the connection was lost, for the first time.
    private func restart() -> Bool {
        state.withLock { state in
            let isLost = state.legs > 1 && state.connections > 0 && state.connection?.count != state.connections
            defer { (state.context, state.token) = (nil, nil) }
            guard isLost, !state.hasRestarted else { return false }
            state.hasRestarted = true
            return true
        }
    }

    /// Ends the context after a response that is not a refusal. The server must authenticate itself, unless it has done so or the
    /// mechanism does not support it.
    private func conclude(
        _ context: any SecurityContext, _ isComplete: Bool, with token: [UInt8]?, _ status: HTTPResponse.Status
    ) async -> Outcome {
        guard !isComplete else { return .settled }
        guard let token else {
            // A failure on the way to the server, or within it, proves nothing, and nothing depends on such a response.
            let isTrouble = status.code >= 500 || [408, 429].contains(status.code)
            guard needsProof, !isTrouble else { return .settled }
            return .failed(
                SecurityContextError(.serverNotProven, detail: "the server accepted the ticket, and did not prove its identity"))
        }
        do {
            guard try await context.next(after: token).isComplete else {
                return .failed(
                    SecurityContextError(.serverNotProven, detail: "the server answered before mutual authentication was complete"))
            }
            return .settled
        } catch {
            return .failed(error)
        }
    }

    private func end() { state.withLock { ($0.context, $0.token) = (nil, nil) } }
}

extension NegotiationHandshake: CustomReflectable {
    /// Empty: the state contains tokens.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}

extension NegotiationHandshake: Hashable {
    public static func == (left: NegotiationHandshake, right: NegotiationHandshake) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
