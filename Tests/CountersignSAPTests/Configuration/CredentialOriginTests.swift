import CountersignSAP
import Foundation
import Testing

/// The origins that receive a credential, as named by a configuration.
@Suite struct CredentialOriginTests {
    private func origin(_ text: String, _ keys: String...) throws -> CredentialOrigin {
        CredentialOrigin(try #require(URL(string: text).flatMap { Origin($0) }), keys: keys)
    }

    private func origins(_ settings: String, host: String? = "app.example") throws -> [CredentialOrigin] {
        let server = host.map { #","host":"\#($0)""# } ?? ""
        return try Configurations.read(#"{"auth":[{"type":"any","config":{\#(settings)}}]\#(server)}"#).credentialOrigins
    }

    @Test(arguments: [
        "oauth2.authorizationEndpoint", "oauth2.authorizationEndpointURL", "oauth2.tokenEndpoint", "oauth2.tokenEndpointURL",
        "oauth2.xsuaaAuthorizationEndpoint", "oauth2.xsuaaAuthorizationURL", "saml2.web.post.authorization.endpoint.uri",
        "saml2.web.post.finish.endpoint.uri", "otp.authorization.endpoint.uri", "otp.finish.endpoint.uri", "sls.loginURL",
        "sls.certificateURL", "com.sap.mobilesecure.certificateService.attributesEndpoint",
        "com.sap.mobilesecure.certificateService.requestEndpoint", "com.sap.mobilesecure.certificateService.retireEndpoint",
        // A key that an application's own landscape reads.
        "com.example.tokens",
    ])
    func `every address of a method counts, by its own key`(key: String) throws {
        let found = try origins(#""\#(key)":"https://evil.example/a""#)
        #expect(found == [try origin("https://app.example", "host"), try origin("https://evil.example", key)])
    }

    @Test(arguments: [
        "https://app.example.evil.example/t", "http://app.example/t", "https://app.example:8443/t", "https://app.example./t",
        "https://evil.example/app.example",
    ])
    func `an origin that looks like the server's is another`(address: String) throws {
        let found = try origins(#""oauth2.tokenEndpoint":"\#(address)""#)
        #expect(Set(found) == [try origin("https://app.example", "host"), try origin(address, "oauth2.tokenEndpoint")])
    }

    /// Foundation drops these characters from a host. Each is one `Character` with the slash before it, so a search for `://` misses it.
    @Test(arguments: ["\u{FE0F}", "\u{34F}", "\u{E0100}"])
    func `an invisible character does not hide an origin`(character: String) throws {
        let found = try origins(#""oauth2.tokenEndpoint":"https://\#(character)evil.example/t""#)
        #expect(found == [try origin("https://app.example", "host"), try origin("https://evil.example", "oauth2.tokenEndpoint")])
        // It is no path of the server either.
        for key in ["oauth2.tokenEndpoint", "com.example.tokens"] {
            let settings = #""\#(key)":"//\#(character)evil.example/t""#
            let other = (try? origins(settings))?.contains { $0.origin.host != "app.example" }
            #expect(other != true)
        }
    }

    @Test(arguments: ["/t", "HTTPS://APP.example:443/t", "https://app.example"])
    func `an address at the server is the server's, however it is written`(address: String) throws {
        let found = try origins(#""oauth2.tokenEndpoint":"\#(address)""#)
        #expect(found == [try origin("https://app.example", "host", "oauth2.tokenEndpoint")])
    }

    @Test(arguments: [#""oauth2.redirectURL":"https://evil.example/a""#, #""com.example.name":"evil.example""#, #""deviceID":"5""#])
    func `where browsers are sent back, and what is no address, does not count`(setting: String) throws {
        #expect(try origins(setting) == [try origin("https://app.example", "host")])
    }

    @Test func `a key cannot write a line of its own`() throws {
        let forged = "zz\\u001b[2K\\r  https://good.example (oauth2.tokenEndpoint"
        let origins = try origins(#""oauth2.tokenEndpoint":"https://evil.example/t","\#(forged)":"https://f.example/""#)
        let shown = origins.map(\.description)
        #expect(shown.contains("https://evil.example (oauth2.tokenEndpoint)"))
        let hostile = try #require(shown.first { $0.hasPrefix("https://f.example") })
        #expect(hostile.hasPrefix(#"https://f.example (zz\u{1B}\u{5B}2K\u{D}\u{20}\u{20}https://good.example\u{20}"#))
        #expect(!hostile.dropFirst("https://f.example (".count).contains(" "))
    }

    @Test func `without a host the addresses stand for themselves`() throws {
        let settings = #""oauth2.tokenEndpoint":"https://b.example/t","oauth2.authorizationEndpoint":"https://a.example/a""#
        let expected = [
            try origin("https://a.example", "oauth2.authorizationEndpoint"),
            try origin("https://b.example", "oauth2.tokenEndpoint"),
        ]
        #expect(try origins(settings, host: nil) == expected)
    }

    @Test func `a configuration of Cloud Foundry names the server and the XSUAA`() throws {
        let found = try Configurations.read(Configurations.cloudFoundry).credentialOrigins
        #expect(found.map(\.origin.host) == ["app.example", "sub.authentication.example"])
        #expect(found.last?.description == "https://sub.authentication.example (oauth2.xsuaaAuthorizationEndpoint)")
    }
}
