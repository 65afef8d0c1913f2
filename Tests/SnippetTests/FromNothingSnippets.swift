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

    let (data, _) = try await session.data(from: library.appending(path: "loans"))
    return data
}
// end

// snippet: challenge
final class MarkedPageObserver: LibraryLoginObserver, @unchecked Sendable {
    override func isChallenge(dataTask: FoundationSessionTask, response: URLResponse) -> Bool {
        (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Login") == "required"
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

    func authenticate(session: FoundationSession, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        var request = URLRequest(url: loginURL)
        request.httpMethod = "POST"
        request.httpBody = Data(form.utf8)
        Task { [request] in
            do {
                _ = try await session.data(for: request)  // its cookies stay in the session
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    func authenticate(cookies: [HTTPCookie], completionHandler: @escaping @Sendable ([HTTPCookie]?, (any Error)?) -> Void) {
        completionHandler(nil, LibraryLoginError.cancelled)  // a login without a session is not offered
    }

    func cancelAuthentication() {}
}
// end
