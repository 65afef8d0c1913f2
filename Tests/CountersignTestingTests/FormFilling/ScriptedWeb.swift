import CountersignTesting
import Countersign
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A transport with scripted pages, which records the requests.
final class ScriptedWeb: HTTPTransport {
    /// A request as it arrived.
    struct Visit: Sendable {
        let method: HTTPRequest.Method
        let url: URL
        let fields: HTTPFields
        let body: String

        /// The method and the URL in one text: `GET https://a.example/x?y`.
        var line: String { "\(method.rawValue) \(url.absoluteString)" }
    }

    /// A response.
    struct Page: Sendable {
        var status = 200
        var fields: [(String, String)] = []
        var body = ""
        var type: String? = "text/html; charset=utf-8"

        static func html(_ body: String, status: Int = 200, setting cookies: String...) -> Page {
            Page(status: status, fields: cookies.map { ("Set-Cookie", $0) }, body: body)
        }

        static func redirect(_ status: Int = 302, to location: String, setting cookies: String...) -> Page {
            Page(status: status, fields: [("Location", location)] + cookies.map { ("Set-Cookie", $0) }, type: nil)
        }
    }

    private let script: @Sendable (Visit) throws -> Page
    private let log = Mutex<[Visit]>([])

    init(_ script: @escaping @Sendable (Visit) throws -> Page) { self.script = script }

    /// Makes a web of fixed pages by method and URL. Any other page is not found.
    convenience init(_ pages: [String: Page]) {
        self.init { pages[$0.line] ?? .html("<h1>Not found</h1>", status: 404) }
    }

    var visits: [Visit] { log.withLock { $0 } }
    var lines: [String] { visits.map(\.line) }

    func send(_ request: SessionRequest) async throws -> SessionResponse {
        try Task.checkCancellation()
        let url = try #require(request.head.url)
        var body = ""
        if case .bytes(let bytes) = request.body.content { body = String(decoding: bytes, as: UTF8.self) }
        let visit = Visit(method: request.head.method, url: url, fields: request.head.headerFields, body: body)
        log.withLock { $0.append(visit) }
        let page = try script(visit)
        var head = HTTPResponse(status: .init(code: page.status))
        for (name, value) in page.fields {
            head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        head.headerFields[.contentType] = page.type
        return SessionResponse(head: head, url: url, body: ResponseBody(bytes: Array(page.body.utf8)))
    }

    func shutdown() async throws {}
}

extension FormFillingPresenter {
    /// Goes through a flow from `start` to `finish`.
    func present(
        _ start: String, to finish: String = "https://app.example/done", match: FinishRule.Match = .path,
        cookies: [Cookie] = [], on web: ScriptedWeb
    ) async throws -> WebPresentationResult {
        let rule = FinishRule(try #require(URL(string: finish)), match: match)
        let jar = CookieJar()
        for cookie in cookies { jar.set(cookie) }
        return try await present(
            WebPresentation(
                authenticationMethod: "Test", url: try #require(URL(string: start)), finish: rule, jar: jar,
                transport: web))
    }

    /// Returns the error with which a flow ends.
    func failure(_ start: String, to finish: String = "https://app.example/done", on web: ScriptedWeb) async throws
        -> FormFillingError
    {
        do {
            _ = try await present(start, to: finish, on: web)
        } catch PresentationFailure.load(let error as FormFillingError) where error.reason != .loginRefused {
            return error
        } catch PresentationFailure.refused(let error as FormFillingError) where error.reason == .loginRefused {
            return error
        }
        throw NothingFailed()
    }

    struct NothingFailed: Error {}
}
