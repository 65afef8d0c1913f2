internal import NIOCore
internal import NIOHTTP1
internal import Synchronization

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The shared state of the connections of one login: the form that opens its page, the rule for responses, and the accepted response.
final class RedirectReceiver: Sendable {
    private struct State {
        /// The rule for responses; `nil` until the port is known, before which no browser was sent here.
        var rule: RedirectRule?
        /// The page that posts the login's form; `nil` if there is none, or if it was sent.
        var form: FormPage?
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

    /// Sends a page to the first request for its path.
    func offer(_ form: FormPage) { state.withLock { $0.form = form } }

    /// Returns the reply to a request. The first response to the login settles ``arrival``. A different, later one is answered
    /// with 404.
    func reply(to head: HTTPRequestHead, on connection: any Channel) -> CallbackReply {
        guard let rule = state.withLock({ $0.rule }) else { return CallbackReply(.notFound) }
        switch rule.verdict(on: head) {
        // The host is right.
        case .refused(.notFound): return form(for: head).map { CallbackReply($0) } ?? CallbackReply(.notFound)
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

    /// Returns the page with the form for the first request for it.
    private func form(for head: HTTPRequestHead) -> FormPage? {
        state.withLock { state in
            guard head.method == .GET, let form = state.form, head.uri.utf8.elementsEqual(form.path.utf8) else { return nil }
            state.form = nil
            return form
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
