// The code of the guide "Command line tools".

// snippet: tool
import CountersignAsyncHTTPClient
import CountersignBrowser
import CountersignFileStore
import Foundation
import HTTPTypes
import OpenIDConnect

/// The client of a command line tool whose user logs in with a browser.
struct NotesTool {
    let api: URL
    let session: Session
    let login: OpenIDLoginObserver

    /// - Parameter redirectURL: `http://127.0.0.1/callback`, as it is
    ///   registered with the provider. Each login uses a free port.
    init(
        api: URL, issuer: URL, clientID: String, redirectURL: URL,
        presenter: any WebPresenter = AutomaticPresenter(),
        store: any CredentialStore = userStore()
    ) {
        self.api = api
        var configuration = SessionConfiguration()
        configuration.presenter = presenter
        session = Session(
            configuration: configuration, transport: AsyncHTTPClientTransport())
        login = OpenIDLoginObserver(
            parameters: OpenIDLoginParameters(
                apis: [api], issuer: issuer, clientID: clientID,
                redirectURL: redirectURL, scopes: "openid offline_access"),
            store: store)
        session.register(login)
    }

    func notes() async throws -> String {
        let request = HTTPRequest(url: api.appending(path: "notes"))
        let response = try await session.send(SessionRequest(request))
        guard response.head.status == .ok else {
            throw NoNotes(status: response.head.status.code)
        }
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct NoNotes: Error {
    let status: Int
}
// end

// snippet: store
/// Credentials in encrypted files, with their key in the Keychain or, on
/// Linux, in the desktop's Secret Service.
func userStore() -> EncryptedFileStore {
    #if canImport(Security)
    let key = KeychainKeySource(
        service: "notes", account: "credentials", keychain: .login)
    #else
    let key = SecretServiceKeySource(
        service: "notes", account: "credentials",
        label: "Notes: key of the credentials")
    #endif
    let home = FileManager.default.homeDirectoryForCurrentUser
    return EncryptedFileStore(
        folder: home.appending(path: ".local/share/notes/credentials"),
        key: key)
}
// end

// snippet: commands
/// Runs a command, and returns the exit status of the process.
func run(_ command: String, of tool: NotesTool) async -> Int32 {
    do {
        switch command {
        case "login":
            try await tool.login.authenticate(for: tool.api, in: tool.session)
        case "logout": try await tool.session.logOut()
        default: print(try await tool.notes())
        }
        await tool.session.invalidate(cancelling: false)
        return 0
    } catch let error as CountersignError {
        let lines = [error.errorDescription, error.recoverySuggestion]
        let text = lines.compactMap { $0 }.joined(separator: "\n") + "\n"
        FileHandle.standardError.write(Data(text.utf8))
        return error.code == .cancelled ? 130 : 1
    } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        return 1
    }
}
// end
