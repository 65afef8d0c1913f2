internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The shared state of the connections of one login: the rule for responses, and the accepted response.
final class RedirectDesk: Sendable {
    private struct State {
        /// The rule for responses; `nil` until the port is known, before which no browser was sent here.
        var rule: RedirectRule?
        /// The accepted response.
        var answer: URL?
    }

    let limits: ConnectionLimits
    let connections: OpenConnections
    /// The response, or the error that ends the login.
    let arrival = SingleResult<URL>()
    /// Settled when the browser has received the page that confirms the response.
    let farewell = SingleResult<Void>()
    private let state = Mutex(State())

    init(limits: ConnectionLimits) {
        self.limits = limits
        connections = OpenConnections(maximum: limits.connections)
    }

    func expect(_ rule: RedirectRule) { state.withLock { $0.rule = rule } }

    /// Returns the reply to a request. The first response to the login settles ``arrival``. A different, later one is answered
    /// with 404.
    func reply(to head: HTTPRequestHead, on connection: any Channel) -> CallbackReply {
        guard let rule = state.withLock({ $0.rule }) else { return CallbackReply(.notFound) }
        switch rule.verdict(on: head) {
        case .refused(let page): return CallbackReply(page)
        case .answer(let url):
            guard head.method == .HEAD || take(url) else { return CallbackReply(.notFound) }
            return CallbackReply(.received, at: rule.bareURL)
        case .bare:
            guard state.withLock({ $0.answer != nil }) else { return CallbackReply(.notFound) }
            // The connection is closed when the client has received the page.
            if head.method == .GET { connection.closeFuture.whenComplete { _ in self.farewell.settle(.success(())) } }
            return CallbackReply(.received)
        }
    }

    /// Accepts the response, and returns whether it is the accepted one. Link scanners may request the same URL again.
    private func take(_ url: URL) -> Bool {
        state.withLock { state in
            if arrival.settle(.success(url)) { state.answer = url }
            return state.answer == url
        }
    }
}
