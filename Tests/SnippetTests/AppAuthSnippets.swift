// The code of the guide "Coming from AppAuth". The earlier code is checked against the declarations of `AppAuthStubs.swift`.

import Countersign
import CountersignFoundation
import CountersignTesting
import Foundation
import OpenIDConnect
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: before
final class NotesModel: OIDAuthStateChangeDelegate {
    private let api: URL
    private let file: URL
    private var login: (any OIDExternalUserAgentSession)?
    private var state: OIDAuthState?

    init(api: URL, file: URL) throws {
        self.api = api
        self.file = file
        if let data = try? Data(contentsOf: file) {
            state = try NSKeyedUnarchiver.unarchivedObject(
                ofClass: OIDAuthState.self, from: data)
        }
        state?.stateChangeDelegate = self
    }

    func signIn(
        issuer: URL, clientID: String, redirectURL: URL,
        from controller: UIViewController,
        completion: @escaping ((any Error)?) -> Void
    ) {
        OIDAuthorizationService.discoverConfiguration(
            forIssuer: issuer
        ) { configuration, error in
            guard let configuration else { return completion(error) }
            let request = OIDAuthorizationRequest(
                configuration: configuration, clientId: clientID,
                scopes: [OIDScopeOpenID, "notes.read"],
                redirectURL: redirectURL, responseType: OIDResponseTypeCode,
                additionalParameters: nil)
            self.login = OIDAuthState.authState(
                byPresenting: request, presenting: controller
            ) { state, error in
                self.state = state
                state?.stateChangeDelegate = self
                if let state { self.didChange(state) }
                completion(error)
            }
        }
    }

    func didChange(_ state: OIDAuthState) {
        let data = try? NSKeyedArchiver.archivedData(
            withRootObject: state, requiringSecureCoding: true)
        try? data?.write(to: file, options: .atomic)
    }

    func notes(
        completion: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) {
        let url = api.appending(path: "notes")
        state?.performAction { accessToken, _, error in
            guard let accessToken else { return completion(nil, error) }
            var request = URLRequest(url: url)
            request.setValue(
                "Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
            URLSession.shared.dataTask(with: request) { data, _, error in
                completion(data, error)  // a 401 is data, too
            }.resume()
        }
    }
}
// end

// snippet: after
func notesSession(
    api: URL, issuer: URL, clientID: String, redirectURL: URL,
    presenter: any WebPresenter, store: any CredentialStore
) -> FoundationSession {
    var configuration = FoundationSession.Configuration()
    configuration.presenter = presenter
    let session = FoundationSession(configuration: configuration)
    session.session.register(
        OpenIDLoginObserver(
            parameters: OpenIDLoginParameters(
                apis: [api], issuer: issuer, clientID: clientID,
                redirectURL: redirectURL, scopes: "openid notes.read"),
            store: store))
    return session
}

func notes(of api: URL, in session: FoundationSession) async throws -> Data {
    let url = api.appending(path: "notes")
    let (data, response) = try await session.data(from: url)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        throw URLError(.badServerResponse)
    }
    return data
}
// end

// snippet: errors
func notesOrNothing(
    of api: URL, in session: FoundationSession
) async throws -> Data? {
    do {
        return try await notes(of: api, in: session)
    } catch let error as CountersignError where error.code == .cancelled {
        return nil  // the user closed the login page
    } catch let error as CountersignError {
        print(error, error.recoverySuggestion ?? "")
        throw error
    }
}
// end

// snippet: tokens
func adoptTokens(
    of state: OIDAuthState, by observer: OpenIDLoginObserver,
    in session: FoundationSession
) async throws {
    guard let response = state.lastTokenResponse,
        let accessToken = response.accessToken, let scope = state.scope,
        let text = response.idToken,
        let idToken = OIDIDToken(idTokenString: text)
    else { return }
    try await observer.adopt(
        tokenType: "Bearer", accessToken: accessToken,
        refreshToken: state.refreshToken, subject: idToken.subject,
        scope: scope,
        lifetime: response.accessTokenExpirationDate.map {
            .seconds($0.timeIntervalSinceNow)
        }, in: session.session)
}
// end

@Test(.takesTurns)
func `the code that comes after AppAuth's signs in once, and a dismissal is no error`() async throws {
    var options = MockOAuth2Options()
    options.openID = MockOpenIDOptions()
    options.scopes = ["openid", "notes.read"]
    try await MockAuthorizationServer.run(options: options) { server in
        let session = notesSession(
            api: server.baseURL, issuer: server.baseURL, clientID: MockOAuth2Client.app.id,
            redirectURL: try #require(URL(string: "com.example.app:/callback")), presenter: HesitantUser(dismissing: 1),
            store: MemoryCredentialStore())
        #expect(try await notesOrNothing(of: server.baseURL, in: session) == nil)
        #expect(try await notes(of: server.baseURL, in: session).isEmpty == false)
        #expect(try await validNotes(of: server.baseURL, in: session).isEmpty == false)
        #expect(server.statistics.authorizations == 1)
        session.invalidateAndCancel()
    }
}
