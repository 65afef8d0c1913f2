import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Transmission

// Sends a request to a Transmission server, and answers its guard against forged requests: lean
// http://127.0.0.1:9091/transmission/rpc
guard let url = CommandLine.arguments.dropFirst().first.flatMap({ URL(string: $0) }) else {
    FileHandle.standardError.write(Data("usage: lean URL\n".utf8))
    exit(64)
}
let session = Session(configuration: SessionConfiguration(), transport: AsyncHTTPClientTransport())
session.register(TransmissionSessionObserver(parameters: TransmissionSessionParameters(server: [url])))
let response = try await session.send(SessionRequest(HTTPRequest(method: .get, url: url)))
print(response.head.status.code)
await session.invalidate(cancelling: false)
