import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import OpenIDConnect
import Synchronization
import Testing

/// A user who fills in login pages, and counts them.
final class User: WebPresenter {
    private let presenter: any WebPresenter
    private let patience: Int
    private let pages = Mutex(0)

    /// - Parameters:
    ///   - presenter: The presenter of the pages.
    ///   - patience: The number of pages that are filled in. Later pages are dismissed.
    init(
        _ presenter: any WebPresenter = FormFillingPresenter(values: ["j_username": "alice", "j_password": "wonderland"]),
        patience: Int = .max
    ) {
        self.presenter = presenter
        self.patience = patience
    }

    var count: Int { pages.withLock { $0 } }
    var choosesRedirectURL: Bool { presenter.choosesRedirectURL }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        let count = pages.withLock { pages in
            pages += 1
            return pages
        }
        guard count <= patience else { throw PresentationFailure.dismissed }
        return try await presenter.present(presentation)
    }
}

/// Tests with a provider on a socket, and a session.
protocol OpenIDBench {
    /// The options of the provider, which a test can change.
    static var options: MockOAuth2Options { get }
}

extension OpenIDBench {
    func parameters(_ server: MockAuthorizationServer, client: String = "app") throws -> OpenIDLoginParameters {
        OpenIDLoginParameters(
            apis: [server.baseURL], issuer: server.baseURL, clientID: client,
            redirectURL: try #require(URL(string: "http://127.0.0.1/callback")))
    }

    func run(
        _ user: User = User(), _ change: (inout MockOAuth2Options) -> Void = { _ in },
        _ body: (MockAuthorizationServer, Session) async throws -> Void
    ) async throws {
        var options = Self.options
        change(&options)
        try await MockAuthorizationServer.run(options: options) { server in
            await withSession(presenter: user) { session in try await body(server, session) }
        }
    }

    func call(_ server: MockAuthorizationServer, _ session: Session, _ path: String = "data") async throws -> Int {
        try await status(SessionRequest(HTTPRequest(url: server.baseURL.appending(path: path))), session)
    }
}
