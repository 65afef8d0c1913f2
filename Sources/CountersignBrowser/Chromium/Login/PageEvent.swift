#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// An event of a browser's page that affects a login. Of requests, only those for documents are included.
enum PageEvent: Sendable {
    /// The user or another page has opened a page, which waits until it is resumed.
    case opened(session: String, frame: String)
    case closed(session: String)
    case crashed(session: String)
    /// A request is about to be sent, or a URL with a scheme other than HTTP is about to be opened.
    case asking(session: String, Request)
    /// A request is paused until it is continued.
    case waiting(session: String, interception: String, Request)
    case answered(session: String, Response)
    case failed(session: String, request: String, name: String, isCancelled: Bool)
    /// The document and its resources were loaded.
    case loaded(session: String)
    /// A script shows a dialog and waits.
    case asked(session: String, isQuestion: Bool)
    /// A script has changed the page's URL without a request.
    case renamed(session: String, frame: String, url: String)

    /// A request for a document, or a redirect of one.
    struct Request: Sendable, Hashable {
        /// The identifier, which a request and its redirects share.
        let id: String
        let frame: String
        let method: String
        /// The URL, with its fragment.
        let url: String
        let isRedirect: Bool
        /// The header fields of a paused request, without cookies; empty for others.
        var headers: [String: String] = [:]
    }

    /// The head of a response other than a redirect.
    struct Response: Sendable, Hashable {
        let request: String
        let frame: String
        let url: String
        let status: Int
    }

    /// Decodes an event; `nil` if it does not affect a login.
    init?(_ message: DevToolsMessage, _ bytes: [UInt8]) {
        func parameters<Value: Decodable>(_ type: Value.Type) -> Value? {
            try? JSONDecoder().decode(Wire.Event<Value>.self, from: Data(bytes)).params
        }
        switch (message.method, message.sessionId) {
        case ("Target.attachedToTarget", _):
            guard let page = parameters(Wire.Attached.self), page.targetInfo.type == "page" else { return nil }
            self = .opened(session: page.sessionId, frame: page.targetInfo.targetId)
        case ("Target.detachedFromTarget", _):
            guard let page = parameters(Wire.Detached.self) else { return nil }
            self = .closed(session: page.sessionId)
        case ("Inspector.targetCrashed", let session?): self = .crashed(session: session)
        case ("Network.requestWillBeSent", let session?):
            guard let event = parameters(Wire.Asking.self), event.type == "Document", let frame = event.frameId else { return nil }
            let isRedirect = event.redirectResponse != nil
            self = .asking(session: session, event.request.request(event.requestId, in: frame, isRedirect: isRedirect))
        case ("Fetch.requestPaused", let session?):
            guard let event = parameters(Wire.Paused.self) else { return nil }
            let isRedirect = event.redirectedRequestId != nil
            self = .waiting(
                session: session, interception: event.requestId,
                event.request.request(
                    event.networkId ?? "", in: event.frameId, isRedirect: isRedirect, headers: event.request.headers ?? [:]))
        case ("Network.responseReceived", let session?):
            guard let event = parameters(Wire.Answered.self), event.type == "Document", let frame = event.frameId else {
                return nil
            }
            self = .answered(
                session: session,
                Response(request: event.requestId, frame: frame, url: event.response.url, status: event.response.status))
        case ("Network.loadingFailed", let session?):
            guard let event = parameters(Wire.Failed.self), event.type == "Document" else { return nil }
            self = .failed(
                session: session, request: event.requestId, name: event.errorText, isCancelled: event.canceled ?? false)
        case ("Page.loadEventFired", let session?): self = .loaded(session: session)
        case ("Page.navigatedWithinDocument", let session?):
            guard let event = parameters(Wire.Renamed.self) else { return nil }
            self = .renamed(session: session, frame: event.frameId, url: event.url)
        case ("Page.javascriptDialogOpening", let session?):
            guard let event = parameters(Wire.Dialog.self) else { return nil }
            self = .asked(session: session, isQuestion: event.type == "confirm" || event.type == "prompt")
        default: return nil
        }
    }

    /// The events in the protocol's JSON form.
    private enum Wire {
        struct Event<Parameters: Decodable>: Decodable { let params: Parameters }

        struct Attached: Decodable {
            let sessionId: String
            let targetInfo: Target

            struct Target: Decodable {
                let targetId: String
                let type: String
            }
        }

        struct Detached: Decodable { let sessionId: String }

        struct Asked: Decodable {
            let url: String
            let urlFragment: String?
            let method: String
            let headers: [String: String]?

            func request(_ id: String, in frame: String, isRedirect: Bool, headers: [String: String] = [:]) -> Request {
                Request(
                    id: id, frame: frame, method: method, url: url + (urlFragment ?? ""), isRedirect: isRedirect, headers: headers)
            }
        }

        struct Asking: Decodable {
            let requestId: String
            let request: Asked
            let frameId: String?
            let type: String?
            let redirectResponse: DevToolsNothing?
        }

        struct Paused: Decodable {
            let requestId: String
            let networkId: String?
            let request: Asked
            let frameId: String
            let redirectedRequestId: String?
        }

        struct Answered: Decodable {
            let requestId: String
            let frameId: String?
            let type: String
            let response: Head

            struct Head: Decodable {
                let url: String
                let status: Int
            }
        }

        struct Failed: Decodable {
            let requestId: String
            let type: String
            let errorText: String
            let canceled: Bool?
        }

        struct Dialog: Decodable { let type: String }

        struct Renamed: Decodable {
            let frameId: String
            let url: String
        }
    }
}

extension PageEvent: RedactedDescription {}
extension PageEvent.Request: RedactedDescription {}
extension PageEvent.Response: RedactedDescription {}
#endif
