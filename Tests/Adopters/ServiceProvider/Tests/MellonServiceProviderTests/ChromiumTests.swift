@_spi(Scripting) import CountersignBrowser
import Foundation
import MellonServiceProvider
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The lab, which a script has started. `COUNTERSIGN_LAB` names its folder, with `ca/root.crt` and `chromium`, a browser that
/// trusts it.
private let lab = ProcessInfo.processInfo.environment["COUNTERSIGN_LAB"]

@Suite(.enabled(if: lab != nil, "set COUNTERSIGN_LAB to the folder of the running lab (../shared/lab/README.md)"))
struct `Sign-in with Chromium at a service provider not written here` {
    private struct Answer: Decodable { let user: String? }

    /// Makes a session whose presenter is a real browser with a script as its user.
    private func session(user: String, password: String, executable: String?) throws -> SAPURLSession {
        let values = String(decoding: try JSONEncoder().encode(["username": user, "password": password]), as: UTF8.self)
        let script = """
            addEventListener('DOMContentLoaded', () => {
                for (const form of document.forms) {
                    if (!form.elements.password) { continue; }
                    for (const [name, value] of Object.entries(\(values))) { form.elements[name].value = value; }
                    form.requestSubmit();
                }
            });
            """
        var configuration = SAPURLSession.Configuration()
        configuration.transport.trustRoots = .file("\(try #require(lab))/ca/root.crt")
        configuration.presenter = ChromiumPresenter(
            ChromiumConfiguration(executable: executable, isHeadless: true, timeout: .seconds(120)), script: script)
        let session = SAPURLSession(configuration: configuration)
        let backend = try #require(URL(string: "https://sp.localhost:9443/"))
        session.register(SAMLObserver(settingsParameters: SAPcpmsSettingsParameters(backendURL: backend, applicationID: "lab")))
        return session
    }

    private func user(of session: SAPURLSession) async throws -> String? {
        let url = try #require(URL(string: "https://sp.localhost:9443/api/"))
        let (data, _) = try await session.data(from: url)
        return try JSONDecoder().decode(Answer.self, from: data).user
    }

    @Test(arguments: [("alice", "wonderland"), ("jürgen", "pässwörd€")])
    func `a redirect to the login is answered in the browser, and its cookies open the service`(
        user: String, password: String
    ) async throws {
        let session = try session(user: user, password: password, executable: "\(try #require(lab))/chromium")
        #expect(try await self.user(of: session) == user)
        let provider = try #require(URL(string: "https://sp.localhost:9443/api/"))
        let cookies = session.cookieStorage.cookies(for: provider)
        let cookie = try #require(cookies.first { $0.name == "mellon-labsession" })
        #expect(cookie.isHTTPOnly && cookie.isSecure && cookie.expiresDate == nil)
        #expect(!cookies.contains { $0.name.hasPrefix("SimpleSAML") })
    }

    @Test func `a browser that does not trust the certificate shows no page`() async throws {
        let session = try session(user: "alice", password: "wonderland", executable: nil)
        let error = await #expect(throws: SAMLError.self) { try await user(of: session) }
        guard case .webView(let cause as ChromiumError)? = error, case .network(let name, let origin) = cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(name == "net::ERR_CERT_AUTHORITY_INVALID")
        #expect(origin?.description == "https://sp.localhost:9443")
    }
}
