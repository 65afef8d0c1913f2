import Countersign
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A page to load: by its URL, or by the submission of a form.
struct PageVisit {
    /// The content of a submitted form.
    struct Post {
        let contentType: String
        let body: String
        /// The origin of the form's page.
        let origin: Origin?
        /// Whether the content contains values of the presenter.
        let holdsValues: Bool
    }

    let url: URL
    let post: Post?

    init(_ url: URL, post: Post? = nil) {
        self.url = url
        self.post = post
    }

    /// Creates a visit that posts the form of a presentation. No page contains the form, so it has no origin.
    init(posting form: PageForm) {
        self.init(
            form.url, post: Post(contentType: PageForm.contentType, body: form.body, origin: nil, holdsValues: true))
    }

    /// Returns the request with the given `Cookie` field value.
    func request(cookies: String?) -> SessionRequest {
        var head = HTTPRequest(method: post == nil ? .get : .post, url: url.withoutFragment)
        head.headerFields[.accept] = "text/html, application/xhtml+xml;q=0.9"
        head.headerFields[.cookie] = cookies
        guard let post else { return SessionRequest(head) }
        head.headerFields[.contentType] = post.contentType
        // Every browser sends both fields, and servers require one of them as protection against cross-site request forgery. The
        // referrer contains only the origin (the referrer policy `strict-origin`), so path and query are not disclosed.
        head.headerFields[.origin] = post.origin?.description
        head.headerFields[.referer] = post.origin.map { "\($0)/" }
        return SessionRequest(head, body: .text(post.body))
    }

    /// Returns the target of a redirect; `nil` if the response is no redirect.
    ///
    /// - Throws: ``FormFillingError`` if the redirect must not be followed. A redirect that ends the flow may have any target.
    func redirect(in response: HTTPResponse, unlessEndedBy finish: FinishRule) throws -> PageVisit? {
        let locations = Set(response.headerFields[values: .location])
        guard [301, 302, 303, 307, 308].contains(response.status.code), let location = locations.first else { return nil }
        guard locations.count == 1, let target = URL.reference(location, on: url) else { throw refusal(.unusable) }
        let keepsForm = response.status.code >= 307
        if finish.accepts(target) { return PageVisit(target) }
        try checkWay(to: target)
        guard keepsForm, let post else { return PageVisit(target) }
        guard !post.holdsValues || Origin(target) == Origin(url) else {
            throw FormFillingError(.insecureForm, page: url.originAndPath)
        }
        return PageVisit(target, post: post)
    }

    /// Checks that a page may lead to a URL.
    func checkWay(to target: URL) throws {
        guard let origin = Origin(target) else { throw refusal(.scheme(target.scheme ?? "")) }
        guard target.user == nil, target.password == nil else { throw refusal(.unusable) }
        guard origin.scheme == "https" || Origin(url)?.scheme != "https" else { throw refusal(.unencrypted) }
    }

    private func refusal(_ problem: FormFillingError.AddressProblem) -> FormFillingError {
        FormFillingError(.addressRefused(problem), page: url.originAndPath)
    }
}
