// The code of the guide "Apps for iOS and macOS" that runs on every system. `.ci/apple` type-checks it together with the rest,
// Tests/AppleStubs/Samples/JournalApp.swift.

import CountersignFoundation
import Foundation
import Observation
import OpenIDConnect

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: journal
/// The session of the app, and the login of its user.
struct Journal: Sendable {
    let api: URL
    let session: FoundationSession
    let login: OpenIDLoginObserver

    init(
        api: URL, issuer: URL, clientID: String, redirectURL: URL,
        presenter: (any WebPresenter)?, store: any CredentialStore
    ) {
        self.api = api
        var configuration = FoundationSession.Configuration()
        configuration.presenter = presenter
        session = FoundationSession(configuration: configuration)
        login = OpenIDLoginObserver(
            parameters: OpenIDLoginParameters(
                apis: [api], issuer: issuer, clientID: clientID,
                redirectURL: redirectURL,
                scopes: "openid profile offline_access"),
            store: store)
        session.session.register(login)
    }

    /// Reads today's page. Shows the login page if the user is not signed in.
    func page() async throws -> String {
        let url = api.appending(path: "pages/today")
        let (data, response) = try await session.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the user who is signed in, from the store; `nil` for none.
    func user() async throws -> User? {
        let credential = try await login.credential(in: session.session)
        guard let credential else { return nil }
        return credential.idToken.flatMap { User(idToken: $0) }
            ?? User(sub: credential.subject)
    }
}
// end

// snippet: user
/// A user, as the claims of an ID token describe them.
struct User: Decodable, Hashable, Sendable {
    let sub: String
    var name: String?
}

extension User {
    /// Reads the claims of a token that the login has verified.
    init?(idToken: String) {
        let parts = idToken.split(separator: ".")
        guard parts.count == 3 else { return nil }
        let text = parts[1].replacing("-", with: "+")
            .replacing("_", with: "/")
        let padding = String(repeating: "=", count: -text.count & 3)
        guard let claims = Data(base64Encoded: text + padding),
            let user = try? JSONDecoder().decode(User.self, from: claims)
        else { return nil }
        self = user
    }
}
// end

// snippet: model
/// The state of the views, and the actions of the user.
@MainActor @Observable
final class JournalModel {
    private(set) var user: User?
    private(set) var page: String?
    private(set) var problem: Problem?
    private(set) var isBusy = false
    private let journal: Journal

    /// - Parameter user: The user of a preview.
    init(_ journal: Journal, user: User? = nil, page: String? = nil) {
        self.journal = journal
        self.user = user
        self.page = page
    }

    /// Shows who is signed in. Nothing is sent.
    func restore() async {
        await attempt { user = try await journal.user() ?? user }
    }

    /// Reads the page, after a login if necessary.
    func load() async {
        await attempt {
            page = try await journal.page()
            user = try await journal.user()
        }
    }

    func logOut() async {
        await attempt {
            (user, page) = (nil, nil)
            try await journal.session.logOut()
        }
    }

    private func attempt(
        _ work: @MainActor () async throws -> Void
    ) async {
        isBusy = true
        defer { isBusy = false }
        problem = nil
        do { try await work() } catch { problem = Problem(error) }
    }
}
// end

// snippet: problem
/// An error in the words of the app.
struct Problem: Equatable {
    let title: String
    var advice: String?
}

extension Problem {
    /// - Returns: `nil` for what the user has wanted.
    init?(_ error: any Error) {
        switch (error as? URLError)?.code {
        case nil: break
        case .cancelled?: return nil
        case .badServerResponse?:
            self.init(title: "The server does not answer as it should.")
            return
        default:
            self = .noConnection
            return
        }
        guard let error = error as? CountersignError else {
            guard !(error is CancellationError) else { return nil }
            self.init(title: "That did not work.")
            return
        }
        switch error.code {
        case .cancelled, .sessionEnded: return nil
        case .unreachable: self = .noConnection
        case .timedOut:
            self.init(
                title: "The login took too long.", advice: "Sign in again.")
        case .refusedByServer:
            self.init(
                title: "The login was refused.", advice: error.serverMessage)
        case .otherUser:
            self.init(
                title: "Another user has signed in.",
                advice: "Log out first, or sign in as before.")
        case .noPresenter, .presenterFailed:
            self.init(
                title: "The login page could not be shown.",
                advice: "Open the app, and try again.")
        default:
            self.init(
                title: "That did not work.",
                advice: error.recoverySuggestion)
        }
    }

    private static let noConnection = Problem(
        title: "There is no connection.",
        advice: "Check the network, and try again.")
}
// end

// snippet: background
/// Reads the page without the user; `nil` if they have to sign in first.
///
/// - Parameter journal: One without a presenter.
func pageInBackground(of journal: Journal) async throws -> String? {
    do {
        return try await journal.page()
    } catch let error as CountersignError where error.code == .noPresenter {
        return nil
    }
}
// end
