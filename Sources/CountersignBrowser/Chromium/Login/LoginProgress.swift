#if os(macOS) || os(Linux)
internal import Countersign

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The state of a login, which determines the steps that follow each event. It has no side effects.
struct LoginProgress: Sendable {
    /// A step to perform.
    enum Step: Sendable, Hashable {
        /// Enable events of the first page, which is then ready to load a URL.
        case begin(session: String)
        /// Enable events of another page, and resume it.
        case join(session: String)
        case letThrough(session: String, interception: String)
        /// Continue the paused request that opens the login as one that posts the login's form.
        case post(session: String, interception: String, headers: [String: String])
        /// Answer a script's dialog in headless mode, where no user can.
        case answerDialog(session: String, accepts: Bool)
        /// Check after a while whether an error page asks for a password.
        case examine(session: String, document: String)
        /// The login has ended at this URL.
        case finish(URL)
        /// The user has closed the last page.
        case dismiss
        case fail(ChromiumError)
    }

    private struct Page {
        let frame: String
        let isFirst: Bool
        /// The identifier of the request for the current or loading document.
        var document = ""
        var origin: Origin?
        /// The error status of the document; `nil` for none.
        var refusal: Int?
    }

    private let finish: FinishRule
    private let isHeadless: Bool
    /// Whether the request that opens the login posts a form.
    private let hasForm: Bool
    private var pages: [String: Page] = [:]
    /// Whether a page was opened.
    private(set) var hasBegun = false
    /// The request that opened the first page. It does not end the login even if its URL matches the finish, until the server has
    /// responded.
    private var entry: String?
    private var isOver = false
    /// The origin of the first page.
    private(set) var origin: Origin?

    init(finish: FinishRule, isHeadless: Bool, hasForm: Bool = false) {
        self.finish = finish
        self.isHeadless = isHeadless
        self.hasForm = hasForm
    }

    mutating func steps(after event: PageEvent) -> [Step] {
        guard !isOver else { return [] }
        let steps = steps(following: event)
        isOver = steps.contains {
            switch $0 {
            case .finish, .dismiss, .fail: true
            case .begin, .join, .letThrough, .post, .answerDialog, .examine: false
            }
        }
        return steps
    }

    /// Returns the steps after an error page was examined.
    mutating func steps(afterExamining session: String, _ document: String, asksForPassword: Bool) -> [Step] {
        guard !isOver, !asksForPassword, let page = pages[session], page.document == document, let status = page.refusal else {
            return []
        }
        isOver = true
        return [.fail(.answered(status: status, origin: page.origin))]
    }

    /// Returns the steps after the browser has tried to load a URL.
    mutating func steps(afterNavigatingIn session: String, _ document: String, isDownload: Bool) -> [Step] {
        guard !isOver, isDownload, let page = pages[session], page.document == document else { return [] }
        isOver = true
        return [.fail(.notAPage(origin: page.origin))]
    }

    private mutating func steps(following event: PageEvent) -> [Step] {
        switch event {
        case .opened(let session, let frame):
            defer { hasBegun = true }
            pages[session] = Page(frame: frame, isFirst: !hasBegun)
            return [hasBegun ? .join(session: session) : .begin(session: session)]
        case .closed(let session):
            guard pages.removeValue(forKey: session) != nil else { return [] }
            return pages.isEmpty ? [.dismiss] : []
        case .crashed(let session):
            guard let page = pages[session], page.isFirst else { return [] }
            return [.fail(.pageCrashed(origin: page.origin))]
        case .asking(let session, let request): return asking(request, in: session)
        case .waiting(let session, let interception, let request):
            let steps = asking(request, in: session)
            guard steps.isEmpty else { return steps }
            if hasForm, request.id == entry, !request.isRedirect {
                return [.post(session: session, interception: interception, headers: request.headers)]
            }
            return [.letThrough(session: session, interception: interception)]
        case .answered(let session, let response): return answered(response, in: session)
        case .failed(let session, let request, let name, let isCancelled):
            guard let page = pages[session], page.isFirst, page.document == request, !isCancelled else { return [] }
            // For an error status without a body, the browser shows its own page and reports a failure.
            if let status = page.refusal { return [.fail(.answered(status: status, origin: page.origin))] }
            return [.fail(.network(name.errorName, origin: page.origin))]
        case .loaded(let session):
            guard let page = pages[session], page.isFirst, page.refusal != nil else { return [] }
            return [.examine(session: session, document: page.document)]
        case .asked(let session, let isQuestion):
            return isHeadless ? [.answerDialog(session: session, accepts: !isQuestion)] : []
        case .renamed(let session, let frame, let url):
            guard pages[session]?.frame == frame, let url = URL(string: url), finish.accepts(url) else { return [] }
            return [.finish(url)]
        }
    }

    private mutating func asking(_ request: PageEvent.Request, in session: String) -> [Step] {
        guard var page = pages[session], page.frame == request.frame, let url = URL(string: request.url) else { return [] }
        if page.isFirst, entry == nil { entry = request.id }
        let isEntry = request.id == entry && !request.isRedirect
        let origin = Origin(url)
        // The content of a form must be submitted first. Its response shows whether the login has ended.
        let isToBeDelivered = request.method != "GET" && !request.isRedirect && origin != nil
        if !isEntry, !isToBeDelivered, finish.accepts(url) { return [.finish(url)] }
        guard let origin else {
            guard request.isRedirect, page.isFirst else { return [] }
            return [.fail(.redirectedToScheme((url.scheme ?? "").errorName, origin: page.origin))]
        }
        page.origin = origin
        page.refusal = nil
        page.document = request.id
        pages[session] = page
        if page.isFirst { self.origin = origin }
        return []
    }

    private mutating func answered(_ response: PageEvent.Response, in session: String) -> [Step] {
        guard let page = pages[session], page.frame == response.frame else { return [] }
        if response.status < 400 {
            guard let url = URL(string: response.url), finish.accepts(url) else { return [] }
            return [.finish(url)]
        }
        if page.document == response.request { pages[session]?.refusal = response.status }
        return []
    }
}

extension String {
    /// A name from a browser or server in a form that is safe for errors: short, and without unusual characters.
    fileprivate var errorName: String {
        String(prefix(64).filter { $0.isASCII && ($0.isLetter || $0.isNumber || "_:+-.".contains($0)) })
    }
}

extension LoginProgress: RedactedDescription {}
extension LoginProgress.Step: RedactedDescription {}
#endif
