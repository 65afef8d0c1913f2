import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import ParcelAPI

/// Asked once, however many requests wait for the login.
struct User: ParcelSessionPrompting {
    func userAndPassword(
        for prompt: CredentialPrompt
    ) async throws -> (user: String, password: String)? {
        (user: "alice", password: "wonderland")
    }
}

guard let address = CommandLine.arguments.dropFirst().first,
    let server = URL(string: address)
else {
    let usage = "usage: parcels https://parcels.example\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}
let session = Session(transport: AsyncHTTPClientTransport())
session.register(
    ParcelSessionObserver(
        parameters: ParcelSessionParameters(server: server),
        prompting: User()))

try await withThrowingTaskGroup(of: Int.self) { group in
    for _ in 1...5 {
        group.addTask {
            let url = server.appending(path: "parcels")
            let request = SessionRequest(HTTPRequest(url: url))
            return try await session.send(request).head.status.code
        }
    }
    for try await status in group { print(status) }
}
await session.invalidate(cancelling: false)
