internal import Countersign
internal import Foundation
internal import HTTPTypes

/// The way of one login from page to page, until a URL ends it.
struct PageWalk {
    private let presentation: WebPresentation
    private let filling: FormFilling
    private let maximumPages: Int
    private let maximumPageSize: Int
    private let cookies = CookieJar()
    private var request: SessionRequest
    private var url: URL
    /// Form fields by name that were typed into, to recognise a login form that comes back.
    private var submitted: Set<[String]> = []

    init(_ presentation: WebPresentation, filling: FormFilling, maximumPages: Int, maximumPageSize: Int) {
        self.presentation = presentation
        self.filling = filling
        self.maximumPages = maximumPages
        self.maximumPageSize = maximumPageSize
        url = presentation.url
        request = SessionRequest(HTTPRequest(method: .get, url: presentation.url))
        for cookie in presentation.cookies.cookies { cookies.set(cookie) }
    }

    mutating func run() async throws -> WebPresentationResult {
        for _ in 0..<maximumPages {
            try Task.checkCancellation()
            let response = try await load()
            if try redirect(after: response.head) {
                response.body.cancel()
                if presentation.finish.accepts(url) { return result }
                continue
            }
            // Not before: a page at the finish URL itself ends the flow too, unless the server sends it on.
            if presentation.finish.accepts(url), response.head.status.kind == .successful {
                response.body.cancel()
                return result
            }
            try await answer(response)
            if presentation.finish.accepts(url), request.head.method == .get { return result }
        }
        throw error(.tooManyPages)
    }

    private var result: WebPresentationResult {
        WebPresentationResult(finishURL: url, cookies: cookies.snapshot())
    }

    private func load() async throws -> SessionResponse {
        var request = request
        if let field = cookies.header(for: url) { request.head.headerFields[.cookie] = field }
        request.head.headerFields[.accept] = "text/html,application/xhtml+xml"
        let response = try await presentation.transport.send(request)
        cookies.store(response.head.headerFields[values: .setCookie], from: url)
        return response
    }

    /// Follows a redirect; `false` if the response is none.
    private mutating func redirect(after head: HTTPResponse) throws -> Bool {
        guard [301, 302, 303, 307, 308].contains(head.status.code), let location = head.headerFields[.location] else { return false }
        let keepsMethod = head.status.code == 307 || head.status.code == 308
        try go(to: location, relativeTo: url, keepingRequest: keepsMethod)
        return true
    }

    private mutating func go(to address: String, relativeTo base: URL, keepingRequest: Bool = false) throws {
        guard let target = URL(string: address, relativeTo: base)?.absoluteURL, let origin = Origin(target),
            Origin(url)?.scheme == "http" || origin.scheme == "https"
        else { throw error(.refusedAddress) }
        url = target
        if keepingRequest {
            request.head.url = target
        } else {
            request = SessionRequest(HTTPRequest(method: .get, url: target))
        }
    }

    /// Reads a page and does what a person would do with it.
    private mutating func answer(_ response: SessionResponse) async throws {
        let type = response.head.headerFields[.contentType].flatMap(MediaType.init)
        guard type?.isHTML == true else {
            response.body.cancel()
            throw error(response.head.status.kind == .successful ? .notHTML(type?.essence) : .status, status: response.head.status.code)
        }
        let bytes: [UInt8]
        do {
            bytes = try await response.body.collect(upTo: maximumPageSize)
        } catch let failure as CountersignError where failure.code == .responseTooLarge {
            throw error(.pageTooLarge)
        }
        let page = HTMLPage(Self.text(bytes, charset: type?.charset))
        let base = page.base.flatMap { URL(string: $0, relativeTo: url)?.absoluteURL } ?? url
        if let form = form(of: page) {
            try submit(form, of: page, base: base)
        } else if let target = page.refresh {
            try go(to: target, relativeTo: base)
        } else {
            let isError = response.head.status.kind != .successful
            throw error(isError ? .status : page.hasScript ? .needsJavaScript : .noForm, page, status: response.head.status.code)
        }
    }

    /// The form that a person would fill: one that asks for a password, or the only one.
    private func form(of page: HTMLPage) -> HTMLForm? {
        let forms = page.forms.filter { $0.method != "dialog" }
        return forms.first(where: \.asksForPassword) ?? forms.first
    }

    private mutating func submit(_ form: HTMLForm, of page: HTMLPage, base: URL) throws {
        let button = form.fields.first(where: \.isSubmit)
        let pairs: [(name: String, value: String)]
        switch filling.fill(form, with: button) {
        case .unsupported: throw error(.unsupportedForm, page)
        case .unknown(let names): throw error(.unknownFields(names), page)
        case .filled(let filled, let hasTyped):
            // The address of a login form may change with every try, its fields do not.
            if hasTyped, !submitted.insert(form.fields.filter(\.isVisible).map(\.name)).inserted { throw error(.loginRefused, page) }
            pairs = filled
        }
        let encoding = button?.encoding ?? form.encoding
        let method = button?.method ?? form.method
        guard method == "get" || encoding == "application/x-www-form-urlencoded" else { throw error(.unsupportedForm, page) }
        let action = button?.action ?? form.action ?? ""
        if method == "post" {
            try go(to: action.isEmpty ? url.absoluteString : action, relativeTo: base)
            request.head.method = .post
            request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
            request.body = .text(FormFields.encode(pairs))
        } else {
            let address = (action.isEmpty ? url.absoluteString : action).prefix { $0 != "?" && $0 != "#" }
            try go(to: address + "?" + FormFields.encode(pairs), relativeTo: base)
        }
    }

    /// A page's text: UTF-8, or Latin-1 where the server says so or UTF-8 it is not.
    private static func text(_ bytes: [UInt8], charset: String?) -> String {
        if charset == nil || charset == "utf-8", let text = String(validating: bytes, as: UTF8.self) { return text }
        if charset == "utf-8" { return String(decoding: bytes, as: UTF8.self) }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    private func error(_ reason: FormFillingError.Reason, _ page: HTMLPage? = nil, status: Int? = nil) -> FormFillingError {
        FormFillingError(reason: reason, origin: Origin(url), path: url.path(percentEncoded: true), title: page?.title, status: status)
    }
}
