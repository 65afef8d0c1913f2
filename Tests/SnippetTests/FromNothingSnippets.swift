// The code of the article "A landscape from nothing", compiled, and run against the mock of its landscape.

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: use
import CityLibrary
import CountersignTesting
import Foundation

func loans(at library: URL, card: String, pin: String) async throws -> Data {
    var configuration = FoundationSession.Configuration()
    configuration.presenter = FormFillingPresenter(user: card, password: pin)
    let session = FoundationSession(configuration: configuration)

    let settings = CityLibrarySettings(serverURL: library)
    session.register(LibraryLoginObserver(settingsParameters: settings))

    let url = library.appending(path: "loans")
    return try await session.data(from: url).0
}
// end

// snippet: challenge
final class MarkedPageObserver: LibraryLoginObserver, @unchecked Sendable {
    override func isChallenge(
        dataTask: FoundationSessionTask, response: URLResponse
    ) -> Bool {
        let response = response as? HTTPURLResponse
        return response?.value(forHTTPHeaderField: "X-Login") == "required"
    }
}
// end

// snippet: authentication
final class MachineLogin: LibraryLoginAuthentication {
    private let loginURL: URL
    private let form: String

    init(loginURL: URL, form: String) {
        self.loginURL = loginURL
        self.form = form
    }

    func authenticate(
        session: FoundationSession,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        var request = URLRequest(url: loginURL)
        request.httpMethod = "POST"
        request.httpBody = Data(form.utf8)
        Task { [request] in
            do {
                // The session stores the cookies of the response.
                _ = try await session.data(for: request)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    func authenticate(
        cookies: [HTTPCookie],
        completionHandler:
            @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void
    ) {
        // A login without a session is not supported.
        completionHandler(nil, LibraryLoginError.cancelled)
    }

    func cancelAuthentication() {}
}
// end
