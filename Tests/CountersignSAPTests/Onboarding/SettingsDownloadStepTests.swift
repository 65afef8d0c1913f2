import CountersignSAP
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// The download of the server's settings, and the use of stored ones.
@Suite(.timeLimit(.minutes(10))) struct SettingsDownloadStepTests {
    /// A server with the same response to every request.
    private final class Server: HTTPTransport {
        private let response = Mutex((status: 200, body: "{}"))

        func respond(_ status: Int, _ body: String = "") { response.withLock { $0 = (status, body) } }

        func send(_ request: SessionRequest) async throws -> SessionResponse {
            let (status, body) = response.withLock { ($0.status, $0.body) }
            let url = try #require(request.head.url)
            return SessionResponse(
                head: HTTPResponse(status: .init(code: status)), url: url, body: ResponseBody(bytes: Array(body.utf8)))
        }

        func shutdown() async throws {}
    }

    private func context(_ server: Server) throws -> OnboardingContext {
        var context = OnboardingContext(
            sapURLSession: SAPURLSession.patient(over: server),
            credentialStore: CredentialCodableStore(MemoryCredentialStore()))
        let backend: URL = try #require(URL(string: "https://app.example/"))
        context.info[.backendURL] = backend
        context.info[.applicationID] = "com.example.app"
        return context
    }

    /// Restores both steps, and returns the settings that the application sees.
    private func restored(_ context: OnboardingContext) async throws -> String? {
        let downloaded = try await SAPcpmsSettingsDownloadStep().restore(context: context)
        let applied = try await SAPcpmsSettingsApplyStep().restore(context: downloaded)
        return (applied.info[.clientSettings] as? ClientSettings).map { String(decoding: $0.json, as: UTF8.self) }
    }

    @Test func `a restored flow has new settings, and the stored ones while the server fails`() async throws {
        let server = Server()
        let context = try context(server)
        server.respond(200, #"{"colour":"red"}"#)
        _ = try await SAPcpmsSettingsDownloadStep().onboard(context: context)
        server.respond(200, #"{"colour":"blue"}"#)
        #expect(try await restored(context) == #"{"colour":"blue"}"#)
        for status in [500, 502, 503] {
            server.respond(status, "<html>try later</html>")
            #expect(try await restored(context) == #"{"colour":"blue"}"#)
        }
    }

    @Test func `a server that refuses the user is an error, also with stored settings`() async throws {
        let server = Server()
        let context = try context(server)
        _ = try await SAPcpmsSettingsDownloadStep().onboard(context: context)
        server.respond(403)
        let error = await #expect(throws: OnboardingStepError.self) { try await restored(context) }
        #expect(error?.code == "validationRefused")
        server.respond(503)
        await #expect(throws: OnboardingStepError.self) { try await SAPcpmsSettingsDownloadStep().onboard(context: context) }
    }
}
