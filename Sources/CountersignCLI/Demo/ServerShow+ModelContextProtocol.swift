import Countersign
import CountersignTesting
import Foundation
import ModelContextProtocol

extension ServerShow {
    /// A server of the Model Context Protocol, of which the client knows only the address.
    static let modelContextProtocol = oauth("MCP", resource, path: "mcp") {
        $0.endAllSessions()
    } observer: { server in
        guard let redirect = URL(string: "http://127.0.0.1/callback") else { throw DemoError("the redirect URL is invalid") }
        return MCPAuthorizationObserver(
            parameters: MCPAuthorizationParameters(
                server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], redirectURL: redirect))
    }

    /// The same for a service, without a user, whose client is registered beforehand.
    static let modelContextProtocolService = oauth("MCP, service", resource, path: "mcp") {
        $0.endAllSessions()
    } observer: { server in
        let client = MockOAuth2Client.service
        return MCPServiceObserver(
            parameters: MCPServiceParameters(
                server: server.baseURL.appending(path: "mcp"), issuers: [server.baseURL], clientID: client.id,
                clientSecret: client.secret ?? ""))
    }

    /// The options of a resource server.
    static var resource: MockOAuth2Options {
        var options = provider
        options.openID?.metadataPath = "/.well-known/oauth-authorization-server"
        options.openID?.registrationPath = "/register"
        options.protectedResource = MockProtectedResourceOptions()
        return options
    }
}
