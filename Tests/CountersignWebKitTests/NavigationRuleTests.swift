import Countersign
import Foundation
import Testing

@testable import CountersignWebKit

@Suite struct `Navigation of a web view` {
    private func rule(_ finish: String = "https://app.example/done") throws -> NavigationRule {
        NavigationRule(finish: FinishRule(try #require(URL(string: finish)), match: .path))
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test(arguments: ["https://app.example/done", "com.example.app:/done", "http://127.0.0.1/done"])
    func `a browser that is sent to the finish URL is there, and the URL is not loaded`(finish: String) throws {
        let end = try url("\(finish)?code=c0de")
        #expect(try rule(finish).verdict(onRequestTo: end, method: "GET", isOwn: false) == .finished(end))
        #expect(try rule(finish).verdict(onRequestTo: url("https://idp.example/"), method: "GET", isOwn: false) == .goOn)
    }

    @Test func `a form that is sent to the finish URL arrives there before the login ends`() throws {
        let end = try url("https://app.example/done")
        #expect(try rule().verdict(onRequestTo: end, method: "POST", isOwn: false) == .goOn)
        #expect(try rule().verdict(onResponseFrom: end, status: 200, isHTML: true) == .finished(end))
    }

    @Test func `a page that the presenter asks for is loaded, even if it ends the login`() throws {
        let end = try url("https://app.example/done")
        #expect(try rule().verdict(onRequestTo: end, method: "GET", isOwn: true) == .goOn)
        #expect(try rule().verdict(onResponseFrom: end, status: 200, isHTML: false) == .finished(end))
    }

    @Test(arguments: [
        ("https://APP.example/done?a=b", "https://app.example/done?a=b", true),
        ("https://app.example:443/done", "https://app.example/done", true), ("https://App.example", "https://app.example/", true),
        ("https://app.example/done#top", "https://app.example/done#top", true),
        ("https://app.example/done", "https://app.example/done?code=c0de", false),
        ("https://app.example/done", "https://app.example:8443/done", false),
        ("https://app.example/done", "https://app.example/other", false),
    ])
    func `the URL that the presenter asks for is recognised as a web view writes it`(
        own: String, shown: String, isSame: Bool
    ) throws {
        #expect(NavigationRule.isSame(try url(shown), as: try url(own)) == isSame)
        #expect(!NavigationRule.isSame(try url(shown), as: nil))
    }

    @Test func `a link to another application is not loaded, unless it ends the login`() throws {
        let rule = try rule("com.example.app:/done")
        #expect(rule.isLinkToApplication(try url("authenticator://open?request=1"), isLoadable: false))
        #expect(!rule.isLinkToApplication(try url("com.example.app:/done?code=c0de"), isLoadable: false))
        #expect(!rule.isLinkToApplication(try url("https://idp.example/help"), isLoadable: true))
    }

    @Test func `an error that is a page is for the user to read, and another ends the login`() throws {
        let page = try url("https://app.example/done")
        #expect(try rule().verdict(onResponseFrom: page, status: 404, isHTML: true) == .goOn)
        let failure = WebViewPresenterError.status(404, origin: Origin(page))
        #expect(try rule().verdict(onResponseFrom: page, status: 404, isHTML: false) == .failed(failure))
        #expect(failure.status == 404 && failure.origin == Origin(page) && failure.explanation == nil)
        #expect("\(failure)" == "the page of https://app.example was answered with status 404")
    }

    @Test func `a navigation that another took the place of is no failure`() throws {
        #expect(try rule().verdict(onFailure: NSURLErrorDomain, code: NSURLErrorCancelled, at: nil) == .goOn)
        #expect(try rule().verdict(onFailure: "WebKitErrorDomain", code: 102, at: nil) == .goOn)
    }

    @Test func `a page that cannot be loaded is named by its origin alone`() throws {
        let verdict = try rule().verdict(onFailure: NSURLErrorDomain, code: -1004, at: url("https://app.example/secret?c4n4ry"))
        guard case .failed(let error) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect("\(error)".contains("https://app.example could not be loaded") && "\(error)".contains("-1004"))
        #expect(!"\(error) \(verdict)".contains("c4n4ry"))
    }
}
