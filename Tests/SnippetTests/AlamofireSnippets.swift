// The code of the guide "Coming from Alamofire". The earlier code is checked against the declarations of `AlamofireStubs.swift`.

import Countersign
import CountersignFoundation
import Foundation
import OAuth

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension AlamofireStubs {
    // snippet: before
    struct OAuthCredential: AuthenticationCredential {
        let accessToken: String
        let refreshToken: String
        let expiration: Date

        var requiresRefresh: Bool { expiration < Date(timeIntervalSinceNow: 60) }
    }

    final class OAuthAuthenticator: Authenticator {
        struct Answer: Decodable {
            let access_token: String
            let refresh_token: String?
            let expires_in: Double
        }

        private let tokenURL: URL
        private let client = Session()  // not the one that is intercepted

        init(tokenURL: URL) { self.tokenURL = tokenURL }

        func apply(
            _ credential: OAuthCredential, to urlRequest: inout URLRequest
        ) {
            urlRequest.setValue(
                "Bearer \(credential.accessToken)",
                forHTTPHeaderField: "Authorization")
        }

        func refresh(
            _ credential: OAuthCredential, for session: Session,
            completion:
                @escaping @Sendable (Result<OAuthCredential, any Error>) -> Void
        ) {
            let form = [
                "grant_type": "refresh_token", "client_id": "notes",
                "refresh_token": credential.refreshToken,
            ]
            client.request(tokenURL, method: .post, parameters: form)
                .validate()
                .responseDecodable(of: Answer.self) { response in
                    completion(
                        response.result.map { answer in
                            OAuthCredential(
                                accessToken: answer.access_token,
                                refreshToken: answer.refresh_token
                                    ?? credential.refreshToken,
                                expiration: Date(
                                    timeIntervalSinceNow: answer.expires_in))
                        })
                }
        }

        func didRequest(
            _ urlRequest: URLRequest, with response: HTTPURLResponse,
            failDueToAuthenticationError error: any Error
        ) -> Bool {
            response.statusCode == 401
        }

        func isRequest(
            _ urlRequest: URLRequest,
            authenticatedWith credential: OAuthCredential
        ) -> Bool {
            urlRequest.value(forHTTPHeaderField: "Authorization")
                == "Bearer \(credential.accessToken)"
        }
    }

    static func notes(
        of api: URL, tokenURL: URL, signedIn credential: OAuthCredential
    ) async throws -> Data {
        let session = Session(
            interceptor: AuthenticationInterceptor(
                authenticator: OAuthAuthenticator(tokenURL: tokenURL),
                credential: credential))
        return try await session.request(api.appending(path: "notes"))
            .validate().serializingData().value
    }
    // end
}

// snippet: after
func notesSession(
    api: URL, server: URL, redirectURL: URL, presenter: any WebPresenter,
    store: any CredentialStore
) -> FoundationSession {
    var configuration = FoundationSession.Configuration()
    configuration.presenter = presenter
    let session = FoundationSession(configuration: configuration)
    session.session.register(
        AuthorizationCodeObserver(
            parameters: AuthorizationCodeParameters(
                apis: [api],
                authorizationURL: server.appending(path: "authorize"),
                tokenURL: server.appending(path: "token"), clientID: "notes",
                redirectURL: redirectURL),
            store: store))
    return session
}

func validNotes(
    of api: URL, in session: FoundationSession
) async throws -> Data {
    let url = api.appending(path: "notes")
    let (data, response) = try await session.data(from: url)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
        throw URLError(.badServerResponse)  // what validate() did
    }
    return data
}
// end

extension AlamofireStubs {
    // snippet: tokens
    func adoptTokens(
        of credential: OAuthCredential, by observer: AuthorizationCodeObserver,
        in session: FoundationSession
    ) async throws {
        try await observer.adopt(
            accessToken: credential.accessToken,
            refreshToken: credential.refreshToken,
            lifetime: .seconds(credential.expiration.timeIntervalSinceNow),
            in: session.session)
    }
    // end
}
