import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Keycloak

// Sends a request to an API behind Keycloak as a service: reports API REALM CLIENT, with the secret in CLIENT_SECRET.
let arguments = CommandLine.arguments.dropFirst()
let urls = arguments.prefix(2).compactMap { URL(string: $0) }
guard urls.count == 2, let client = arguments.dropFirst(2).first,
    let secret = ProcessInfo.processInfo.environment["CLIENT_SECRET"]
else {
    FileHandle.standardError.write(Data("usage: CLIENT_SECRET=… reports API REALM CLIENT\n".utf8))
    exit(64)
}
let session = Session(transport: AsyncHTTPClientTransport())
session.register(
    OpenIDServiceObserver(
        parameters: OpenIDServiceParameters(
            apis: [urls[0]], issuer: urls[1], clientID: client, clientSecret: secret)))
let response = try await session.send(SessionRequest(HTTPRequest(url: urls[0])))
print(response.head.status.code)
await session.invalidate(cancelling: false)
