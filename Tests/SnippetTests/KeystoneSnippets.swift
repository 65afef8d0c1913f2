// The code of the article "Keystone in ten steps".

import CountersignAsyncHTTPClient
import Foundation
import HTTPTypes
import Keystone

func servers(
    of identityURL: URL, compute: URL, images: URL, application: any KeystonePasswordPrompting
) async throws -> ResponseBody {
    // snippet: use
    let session = Session(transport: AsyncHTTPClientTransport())
    let observer = KeystonePasswordObserver(
        parameters: KeystonePasswordParameters(
            identityURL: identityURL, cloud: [compute, images], user: "alice"),
        prompting: application)
    session.register(observer)

    let url = compute.appending(path: "v2.1/servers")
    let response = try await session.send(SessionRequest(HTTPRequest(url: url)))
    // end
    return response.body
}
