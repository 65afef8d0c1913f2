internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What the connections of one login share: which request is the answer, and that there is one.
final class CallbackDesk: Sendable {
    private struct State {
        /// Known as soon as the port is; no browser that was sent here comes before that.
        var rule: CallbackRule?
        /// The answer that counts.
        var answer: URL?
    }

    let limits: ConnectionLimits
    let connections: OpenConnections
    /// The answer, or why there is none.
    let arrival = SingleResult<URL>()
    /// That the user can read that the answer has arrived.
    let farewell = SingleResult<Void>()
    private let state = Mutex(State())

    init(limits: ConnectionLimits) {
        self.limits = limits
        connections = OpenConnections(maximum: limits.connections)
    }

    func expect(_ rule: CallbackRule) { state.withLock { $0.rule = rule } }

    /// Decides what a request is answered. The first that is the answer to the login settles it; another one later finds nothing.
    func reply(to head: HTTPRequestHead, on connection: any Channel) -> CallbackReply {
        guard let rule = state.withLock({ $0.rule }) else { return CallbackReply(.notFound) }
        switch rule.verdict(on: head) {
        case .refused(let page): return CallbackReply(page)
        case .answer(let url):
            guard head.method == .HEAD || take(url) else { return CallbackReply(.notFound) }
            return CallbackReply(.received, at: rule.bareURL)
        case .bare:
            guard state.withLock({ $0.answer != nil }) else { return CallbackReply(.notFound) }
            // The client closes its side when it has the page.
            if head.method == .GET { connection.closeFuture.whenComplete { _ in self.farewell.settle(.success(())) } }
            return CallbackReply(.received)
        }
    }

    /// Takes the answer, and says whether it is the one that counts. What looks at links before the user does may bring it twice.
    private func take(_ url: URL) -> Bool {
        state.withLock { state in
            if arrival.settle(.success(url)) { state.answer = url }
            return state.answer == url
        }
    }
}
