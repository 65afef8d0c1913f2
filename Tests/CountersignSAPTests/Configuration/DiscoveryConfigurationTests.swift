import CountersignSAP
import Foundation
import Testing

/// Configurations in the shapes of research 2.3 and 2.8.
@Suite struct DiscoveryConfigurationTests {
    @Test func `a file of the cockpit gives addresses and client`() throws {
        let configuration = try Configurations.read(Configurations.cloudFoundry)
        #expect(configuration.authentication == [.oauth2])
        let values = try configuration.values()
        #expect(values.baseURL?.absoluteString == "https://app.example")
        #expect(values.values["oauth2.clientID"] == "c0de")
        #expect(try values.url(["oauth2.redirectURL"])?.absoluteString == "com.example.app://app.example")
        #expect(values.values["oauth2.xsuaaAuthorizationEndpoint"]?.hasPrefix("https://sub.") == true)
    }

    @Test func `the old flat form is read`() throws {
        let configuration = try Configurations.read(
            """
            {"oauth2.authorizationEndpoint":"https://a.example/authorize","oauth2.clientID":"flat","oauth2.endUserUI":"https://a.example/ui",
             "oauth2.tokenEndpoint":"https://a.example/token","oauth2.grantType":"authorization_code",
             "host":"a.example","port":8080,"protocol":"http"}
            """)
        #expect(try configuration.values().values["oauth2.clientID"] == "flat")
        #expect(try configuration.values(grantType: "authorization_code").values["oauth2.clientID"] == "flat")
        #expect(try configuration.values().baseURL?.absoluteString == "http://a.example:8080")
        #expect(throws: ConfigurationError.missingKey("oauth2.clients[grantType=password]", source: "the configuration")) {
            try configuration.values(grantType: "password")
        }
    }

    @Test func `Basic and certificate are recognised by their types`() throws {
        let basic = try Configurations.read(
            #"{"auth":[{"type":"basic.default","config":{}}],"host":"a.example","protocol":"https"}"#)
        #expect(basic.authentication == [.basic])
        let certificate = try Configurations.read(
            #"{"auth":[{"type":"certificate.sdkprovider"},{"type":"x.y"}],"host":"a.example"}"#)
        #expect(certificate.authentication == [.certificate, AuthenticationType(rawValue: "x.y")])
    }

    @Test(arguments: [
        ("{}", "https://a.example/SAMLAuthLauncher", "https://a.example/SAMLAuthLauncher?finishEndpointParam=someUnusedValue"),
        (
            #"{"saml2.web.post.finish.endpoint.uri":"/launch","saml2.web.post.finish.endpoint.redirectparam":"the end"}"#,
            "https://a.example/launch", "https://a.example/launch?the%20end=someUnusedValue"
        ),
        (
            #"{"saml2.web.post.finish.endpoint.uri":"https://b.example/l?a=1"}"#, "https://b.example/l",
            "https://b.example/l?a=1&finishEndpointParam=someUnusedValue"
        ),
        (
            #"{"saml2.web.post.finish.endpoint.uri":"/l?finishEndpointParam=1"}"#, "https://a.example/l",
            "https://a.example/l?finishEndpointParam=1"
        ),
        (
            """
            {"saml2.web.post.finish.endpoint.uri":"/end","saml2.web.post.authorization.endpoint.uri":"/begin"}
            """, "https://a.example/begin", "https://a.example/end"
        ),
    ])
    func `SAML's addresses follow from the page that ends the login`(config: String, begin: String, end: String) throws {
        let values = try Configurations.read(#"{"auth":[{"type":"saml2.web.post","config":\#(config)}],"host":"a.example"}"#)
            .values()
        #expect(try values.url(["saml2.web.post.authorization.endpoint.uri"])?.absoluteString == begin)
        #expect(try values.url(["saml2.web.post.finish.endpoint.uri"])?.absoluteString == end)
    }

    @Test func `a client is chosen by its grant`() throws {
        let configuration = try Configurations.read(Configurations.scanned)
        #expect(try configuration.values(grantType: "client_credentials").values["oauth2.clientID"] == "s1")
        #expect(try configuration.values(grantType: "password").values["oauth2.clientID"] == "qr")
        let values = try configuration.afterPasscodeExchange().values().values
        #expect(values["oauth2.clientID"] == "qr")
        #expect(values["oauth2.clients.authorization_code.redirectURL"] == "com.example.app://app.example")
        #expect(values["oauth2.clients.client_credentials.clientSecret"] == "c4n4ry-secret")
        #expect(values["oauth2.grantType"] == "authorization_code")
    }

    @Test func `AppParameters completes what the configuration does not say`() throws {
        let parameters = try DiscoveryConfiguration(
            discoveryServiceConfig: [
                "Application Identifier": "com.example.orders", "Destinations": ["orders": "com.example.orders.v1"],
                "host": "other.example",
            ], source: "AppParameters.plist")
        let completed = try Configurations.read(Configurations.cloudFoundry).completed(with: parameters)
        let values = try completed.values()
        #expect(values.values["appID"] == "com.example.orders")
        #expect(values.values["applicationID"] == "com.example.orders")
        #expect(values.baseURL?.host() == "app.example")
        #expect(completed.destinations == ["orders": "com.example.orders.v1"])
    }

    @Test func `what is stored never holds a passcode, and asks for a login the next time`() throws {
        let configuration = try Configurations.read(Configurations.scanned)
        let stored = try JSONEncoder().encode(configuration)
        #expect(!String(decoding: stored, as: UTF8.self).contains("c4n4ry00"))
        let read = try JSONDecoder().decode(DiscoveryConfiguration.self, from: stored)
        #expect(read == configuration.afterPasscodeExchange())
        #expect(read.source == configuration.source)
        #expect(throws: ConfigurationError.self) { try read.values(grantType: "password") }
        #expect(try read.values().values["appID"] == "com.example.app")
    }

    @Test func `an exchanged client that was there already is there once`() throws {
        let configuration = try Configurations.read(
            """
            {"auth":[{"type":"oauth2","config":{"oauth2.clients":[
              {"clientID":"a","grantType":"authorization_code","redirectURL":"x.y://z"},
              {"clientID":"a","grantType":"password","redirectURL":"x.y://z","passcode":"p"}]}}],"host":"a.example"}
            """
        ).afterPasscodeExchange()
        let auth = try #require(configuration.dictionary["auth"] as? [[String: Any]])
        let config = try #require(auth.first?["config"] as? [String: Any])
        #expect((config["oauth2.clients"] as? [Any])?.count == 1)
    }

    @Test func `numbers and truth values survive, and null is treated as absent`() throws {
        let configuration = try Configurations.read(
            #"{"auth":[{"type":"t","config":{"n":7,"d":1.5,"t":true,"z":null,"oauth2.clientID":null}}],"port":8443,"host":"a.example"}"#
        )
        for configuration in [
            configuration, try JSONDecoder().decode(DiscoveryConfiguration.self, from: JSONEncoder().encode(configuration)),
        ] {
            let values = try configuration.values().values
            #expect(values["n"] == "7" && values["d"] == "1.5" && values["t"] == "true")
            #expect(values["z"] == nil && values["oauth2.clientID"] == nil && values["port"] == "8443")
        }
    }

    @Test func `RT-30 a configuration shows no secret`() throws {
        let configuration = try Configurations.read(Configurations.scanned)
        let values = try configuration.values(passcode: Configurations.passcode)
        for value in [configuration, values, configuration.afterPasscodeExchange()] as [Any] {
            #expect(!everything(of: value).contains("c4n4ry"))
        }
        #expect(!"\(configuration.dictionary)".contains(Configurations.passcode))
    }
}
