import Countersign
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A page to open: by its address, or by submitting a form.
struct PageVisit {
    /// A form's content on its way.
    struct Post {
        let contentType: String
        let body: String
        /// The page that the form stood on.
        let origin: Origin?
        /// Whether it holds values that were given to the presenter.
        let holdsValues: Bool
    }

    let url: URL
    let post: Post?

    init(_ url: URL, post: Post? = nil) {
        self.url = url
        self.post = post
    }

    /// The request, with the cookies that go there.
    func request(cookies: String?) -> SessionRequest {
        var head = HTTPRequest(method: post == nil ? .get : .post, url: url.withoutFragment)
        head.headerFields[.accept] = "text/html, application/xhtml+xml;q=0.9"
        head.headerFields[.cookie] = cookies
        guard let post else { return SessionRequest(head) }
        head.headerFields[.contentType] = post.contentType
        // Servers that check against forged forms ask for one or the other, since every browser sends both. Of the referring page the
        // origin is enough (the referrer policy `strict-origin`): its path and query are not disclosed.
        head.headerFields[.origin] = post.origin?.description
        head.headerFields[.referer] = post.origin.map { "\($0)/" }
        return SessionRequest(head, body: .text(post.body))
    }

    /// Where a response leads on, or `nil` if it is the page.
    ///
    /// - Throws: ``FormFillingError``; a redirect that ends the flow throws nothing, wherever it leads.
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

    /// Checks that a page may lead to an address.
    func checkWay(to target: URL) throws {
        guard let origin = Origin(target) else { throw refusal(.scheme(target.scheme ?? "")) }
        guard target.user == nil, target.password == nil else { throw refusal(.unusable) }
        guard origin.scheme == "https" || Origin(url)?.scheme != "https" else { throw refusal(.unencrypted) }
    }

    private func refusal(_ problem: FormFillingError.AddressProblem) -> FormFillingError {
        FormFillingError(.addressRefused(problem), page: url.originAndPath)
    }
}
