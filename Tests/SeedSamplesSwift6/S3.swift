// swift-format-ignore-file
// Between `// sample` and `// end` stands a sample of the seed, line by line; what it does not print is marked with `// ours`.
// `SeedSampleTests` compares. The samples about client certificates are not here yet; the documentation lists them.

import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SeedSampleSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@MainActor
private final class S3AppDelegate: UIResponder, UIApplicationDelegate {
    // sample S3-AppDelegate: UserIdentityObserver initialization, a note
    func application(_ app: UIApplication, open url: URL, options: [UIApplicationOpenURLOptionsKey : Any] = [:]) -> Bool {
        OAuth2Authenticator.application(app, open: url, options: options)
        return true
    }
    // end

    /// What the system does when the login page sends the browser to the application.
    static func open(_ url: URL) {
        let delegate: UIApplicationDelegate = S3AppDelegate()
        _ = delegate.application(.shared, open: url, options: [:])
    }
}

extension Application {
    func s3Request(_ urlSessionForResourceURL: SAPURLSession) async -> Int? {
        let answer = Answer(of: Int?.self)
        // sample S3-Request: Start request to Resource URL
        let request = URLRequest(url: bench.resourceURL)
        let dataTask = urlSessionForResourceURL.dataTask(with: request) { data, response, error in
            // Handle the error and the response
            answer.give((response as? HTTPURLResponse)?.statusCode) // ours
        }
        dataTask.resume()
        // end
        return await answer.value ?? nil
    }
}

@Suite(.timeLimit(.minutes(10)))
struct `S3 requests` {
    @Test func `S3-AppDelegate and S3-Request log in by a browser outside of the application`() async throws {
        try await SeedBench.run("OAuth2") { bench in
            let application = Application(bench)
            let browser = OutsideBrowser(bench)
            let presenter = DispatchedPresenter { page in await S3AppDelegate.open(try await browser.end(of: page)) }
            bench.sapURLSession.register(OAuth2Observer(authenticationParameters: try bench.oauth2, tokenStore: application, webViewPresenter: presenter))
            #expect(await application.s3Request(bench.sapURLSession) == 200)
            #expect(bench.mock.statistics.oauth2.tokenAnswers == [.authorizationCode: 1])
        }
    }
}
