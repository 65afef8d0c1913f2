// The code of the guide "Coming from URLSession and retries of your own".

import Countersign
import CountersignAsyncHTTPClient
import CountersignFoundation
import CountersignTesting
import Foundation
import OAuth
import TestTurns
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// snippet: before
actor RetryingClient {
    private struct Answer: Decodable {
        let access_token: String
        let refresh_token: String?
    }

    private let tokenURL: URL
    private var accessToken: String
    private var refreshToken: String

    init(tokenURL: URL, accessToken: String, refreshToken: String) {
        self.tokenURL = tokenURL
        self.accessToken = accessToken
        self.refreshToken = refreshToken
    }

    func data(for request: URLRequest) async throws -> Data {
        var (data, status) = try await send(request)
        if status == 401 {
            try await refresh()
            (data, status) = try await send(request)
        }
        guard status == 200 else { throw URLError(.badServerResponse) }
        return data
    }

    private func send(_ request: URLRequest) async throws -> (Data, Int) {
        var request = request
        request.setValue(
            "Bearer \(accessToken)", forHTTPHeaderField: "Authorization")
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    private func refresh() async throws {
        var request = URLRequest(url: tokenURL)
        request.httpMethod = "POST"
        request.setValue(
            "application/x-www-form-urlencoded",
            forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(
            """
            grant_type=refresh_token&client_id=app\
            &refresh_token=\(refreshToken)
            """.utf8)
        let (data, _) = try await URLSession.shared.data(for: request)
        let answer = try JSONDecoder().decode(Answer.self, from: data)
        accessToken = answer.access_token
        refreshToken = answer.refresh_token ?? refreshToken
    }
}
// end

// snippet: after
struct SessionClient {
    let session: FoundationSession

    init(
        parameters: AuthorizationCodeParameters, presenter: any WebPresenter,
        store: any CredentialStore
    ) {
        var configuration = FoundationSession.Configuration()
        configuration.presenter = presenter
        session = FoundationSession(configuration: configuration)
        session.session.register(
            AuthorizationCodeObserver(parameters: parameters, store: store))
    }

    func data(for request: URLRequest) async throws -> Data {
        let (data, response) = try await session.data(for: request)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return data
    }
}
// end

// snippet: upload
/// Sends a file that is opened anew for each send.
func upload(
    _ file: URL, to url: URL, in session: FoundationSession
) async throws -> Data {
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    let body = RequestBody.restartable {
        let handle = try FileHandle(forReadingFrom: file)
        return AsyncThrowingStream {
            let part = try handle.read(upToCount: 1 << 16) ?? Data()
            return part.isEmpty ? nil : Array(part)
        }
    }
    return try await session.upload(for: request, body: body).0
}
// end

// snippet: tokens
func adoptTokens(
    accessToken: String, refreshToken: String,
    by observer: AuthorizationCodeObserver, in session: FoundationSession
) async throws {
    // Renewed before the first request, since its lifetime is unknown.
    try await observer.adopt(
        accessToken: accessToken, refreshToken: refreshToken,
        lifetime: .zero, in: session.session)
}
// end

@Test(.takesTurns) func `what stands in place of a retry sends what was asked for`() async throws {
    try await MockAuthorizationServer.run { server in
        let client = SessionClient(
            parameters: try parameters(of: server), presenter: FormFillingPresenter(user: "alice", password: "wonderland"),
            store: MemoryCredentialStore())
        let file = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID())")
        try Data(repeating: 7, count: 200_000).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let data = try await upload(file, to: server.baseURL.appending(path: "notes"), in: client.session)
        let resource = try JSONDecoder().decode(MockResource.self, from: data)
        #expect(resource.user == "alice" && resource.method == "PUT" && resource.bodyLength == 200_000)
        #expect(try await client.data(for: URLRequest(url: server.baseURL)).isEmpty == false)
        #expect(server.statistics.loginForms == 1)
        client.session.invalidateAndCancel()
    }
}
