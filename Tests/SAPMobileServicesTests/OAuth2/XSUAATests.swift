import Countersign
import CountersignBrowser
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import Synchronization
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A login that begins at the XSUAA instead of at the authorization endpoint.
@Suite(.takesTurns) struct XSUAATests {
    /// A presenter that claims to be an embedded web view, and records the pages that it opens.
    private final class EmbeddedPresenter: WebPresenter {
        private let opened = Mutex<[URL]>([])
        let isEmbeddedWebView = true
        var pages: [URL] { opened.withLock { $0 } }

        func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
            opened.withLock { $0.append(presentation.url) }
            return try await FormFillingPresenter(user: "alice", password: "wonderland").present(presentation)
        }
    }

    private func names(of url: URL) -> [String] {
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems?.map(\.name) ?? []
    }

    @Test func `M15 in an embedded web view the page of the XSUAA takes the place of the authorization endpoint`() async throws {
        let presenter = EmbeddedPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            try bench.registerCode { $0.xsuaaAuthorizationURL = xsuaa }
            #expect(try await bench.user() == "alice")
            let page = try #require(presenter.pages.first)
            #expect(page.host() == xsuaa.host())
            #expect(names(of: page).sorted() == ["client_id", "redirect_uri", "response_type", "state"], "and nothing twice")
            #expect(bench.mock.xsuaaLogins == 1)
            #expect(bench.counted.authorizationRequests == 0)
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1])
            #expect(!bench.events.all.contains { if case .passedOver = $0 { true } else { false } })
        }
    }

    @Test func `M15 elsewhere a warning is given once, and the authorization endpoint is opened, with PKCE`() async throws {
        try await OAuth2Bench.run { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            try bench.registerCode { $0.xsuaaAuthorizationURL = xsuaa }
            for _ in 0..<3 {
                #expect(try await bench.user() == "alice")
                bench.session.endSession()
            }
            #expect(bench.mock.xsuaaLogins == 0)
            #expect(bench.counted.authorizationRequests == 3)
            let warnings = bench.events.all.filter { $0 == .passedOver(page: "{xsuaaAuthorizationURL}") }
            #expect(warnings.count == 1)
        }
    }

    @Test func `a form-filling presenter is what the test says it is`() async throws {
        var presenter = FormFillingPresenter(user: "alice", password: "wonderland")
        #expect(!presenter.isEmbeddedWebView)
        presenter.isEmbeddedWebView = true
        try await OAuth2Bench.run(presenter: presenter) { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            try bench.registerCode { $0.xsuaaAuthorizationURL = xsuaa }
            #expect(try await bench.user() == "alice")
            #expect(bench.mock.xsuaaLogins == 1)
        }
        #expect(!LoopbackPresenter().isEmbeddedWebView)
    }

    @Test func `without the address an embedded web view opens the authorization endpoint, with PKCE and without a warning`()
        async throws
    {
        let presenter = EmbeddedPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            try bench.registerCode()
            #expect(try await bench.user() == "alice")
            let page = try #require(presenter.pages.first)
            #expect(names(of: page).contains("code_challenge"))
            #expect(!bench.events.all.contains { if case .passedOver = $0 { true } else { false } })
        }
    }

    @Test func `a login at the XSUAA is bound by its state`() async throws {
        try await OAuth2Bench.run(presenter: EmbeddedPresenter()) { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            try bench.registerCode { $0.xsuaaAuthorizationURL = xsuaa }
            bench.mock.inject(callbackFault: .values("state", ["guess"]))
            #expect((await bench.error() as? CountersignError)?.code == .answerRefused)
            bench.mock.inject(callbackFault: .values("state", []))
            #expect((await bench.error() as? CountersignError)?.code == .answerRefused)
            #expect(bench.counted.tokenRequests == [:])
        }
    }

    @Test func `a token of a login at the XSUAA is renewed like any other`() async throws {
        try await OAuth2Bench.run(presenter: EmbeddedPresenter()) { bench in
            let xsuaa = try #require(bench.mock.xsuaaAuthorizationURL)
            try bench.registerCode { $0.xsuaaAuthorizationURL = xsuaa }
            #expect(try await bench.user() == "alice")
            bench.mock.expireAccessTokens()
            #expect(try await bench.user() == "alice")
            #expect(bench.counted.tokenAnswers == [.authorizationCode: 1, .refreshToken: 1])
        }
    }

    @Test(arguments: ["http://xsuaa.example/oauth/authorize?client_id=a", "ftp://xsuaa.example/", "/oauth/authorize", "xsuaa:"])
    func `B23 no page of an XSUAA is opened without encryption`(address: String) async throws {
        let presenter = EmbeddedPresenter()
        try await OAuth2Bench.run(presenter: presenter) { bench in
            let url = try #require(URL(string: address))
            try bench.registerCode { $0.xsuaaAuthorizationURL = url }
            guard case .invalidArgument(let detail)? = await bench.error() as? OAuth2Error else {
                Issue.record("not refused")
                return
            }
            #expect(detail.contains("{xsuaaAuthorizationURL}"))
            #expect(presenter.pages.isEmpty)
        }
    }

    @Test func `an address with a wrong or repeated query ends at the XSUAA`() async throws {
        for query in ["client_id=a&client_id=b", "client_id=%ZZ", "", "client_id=nobody&redirect_uri=https%3A%2F%2Fa.example"] {
            try await OAuth2Bench.run(presenter: EmbeddedPresenter()) { bench in
                var parts = try #require(
                    bench.mock.xsuaaAuthorizationURL.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) })
                parts.percentEncodedQuery = nil
                let page = try #require(parts.string)
                let url = try #require(URL(string: "\(page)?\(query)"))
                try bench.registerCode { $0.xsuaaAuthorizationURL = url }
                guard case .webView? = await bench.error() as? OAuth2Error else {
                    Issue.record("'\(query)' is no query of the XSUAA's")
                    return
                }
                #expect(bench.counted.tokenRequests == [:])
            }
        }
    }

    @Test(arguments: ["oauth2.xsuaaAuthorizationURL", "oauth2.xsuaaAuthorizationEndpoint"])
    func `M15 both spellings of the key are read`(key: String) throws {
        let address = "https://tenant.authentication.example/oauth/authorize?response_type=code&client_id=sb-app%21t1"
        let values = try OAuth2AuthenticationParameters(discoveryServiceConfig: [
            "host": "app.example",
            "auth": [
                [
                    "type": "oauth2",
                    "config": [
                        "oauth2.authorizationEndpoint": "https://app.example/authorize",
                        "oauth2.tokenEndpoint": "https://app.example/token", "oauth2.clientID": "c",
                        "oauth2.redirectURL": "com.example:/callback", key: address,
                    ],
                ]
            ],
        ])
        #expect(values.xsuaaAuthorizationURL?.absoluteString == address)
    }
}
