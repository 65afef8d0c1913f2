import Countersign
import Foundation

/// Writes the messages of ``MockSAMLECP``.
struct SAMLECPMessages: Sendable {
    /// The namespace of SAML's messages.
    static let samlp = "urn:oasis:names:tc:SAML:2.0:protocol"
    /// The namespace of SAML's assertions.
    static let saml = "urn:oasis:names:tc:SAML:2.0:assertion"
    /// The namespace of the profile's header blocks, which also identifies its service.
    static let profile = "urn:oasis:names:tc:SAML:2.0:profiles:SSO:ecp"
    /// The namespace of the Reverse HTTP Binding for SOAP, which also identifies its version.
    static let paos = "urn:liberty:paos:2003-08"

    let oddity: MockSAMLECP.Oddity?

    private var isUnusual: Bool { oddity == .unusualPrefixes }
    private var soap: Prefix { Prefix(isUnusual ? "E-1" : "S", SOAPEnvelope.namespace) }
    private var paos: Prefix { Prefix(isUnusual ? "S" : "paos", Self.paos) }
    private var profile: Prefix { Prefix(isUnusual ? "paos" : "ecp", Self.profile) }
    private var samlp: Prefix { Prefix(isUnusual ? "" : "samlp", Self.samlp) }
    private var saml: Prefix { Prefix(isUnusual ? "_a.1" : "saml", Self.saml) }
    private var schema: Prefix { Prefix("xs", "http://www.w3.org/2001/XMLSchema") }
    private var instance: Prefix { Prefix("xsi", "http://www.w3.org/2001/XMLSchema-instance") }

    /// The attributes of a header block for the client (SOAP 1.1, section 4.2).
    private var isForClient: String {
        "\(soap["mustUnderstand"])=\"1\" \(soap["actor"])=\"http://schemas.xmlsoap.org/soap/actor/next\""
    }

    /// Returns the identifier of the service provider's message; `nil` if it has none.
    func messageID(of request: String) -> String? { isUnusual ? nil : "m\(request)" }

    /// Returns the service provider's message.
    func challenge(id: String, consumer: String, identityProvider: String, relayState: String) -> String {
        let named = oddity == .foreignConsumer ? identityProvider.replacing("/ecp", with: "/paos") : consumer
        let request = """
            <\(paos["Request"]) \(paos.declaration) responseConsumerURL="\(named.escapedForMarkup)" \
            service="\(Self.profile)" \(messageID(of: id).map { "messageID=\"\($0)\" " } ?? "")\(isForClient)/>
            """
        let hint = """
            <\(profile["Request"]) \(profile.declaration) IsPassive="0" ProviderName="Mock" \(isForClient)>\
            <\(saml["Issuer"])>https://sp.example/metadata</\(saml["Issuer"])></\(profile["Request"])>
            """
        let relay = """
            <\(profile["RelayState"]) \(profile.declaration) \(isForClient)>\(relayState.escapedForMarkup)</\(profile["RelayState"])>
            """
        let blocks = (isUnusual ? [hint, request] : [request, hint]) + (oddity == .noRelayState ? [] : [relay])
        // A long comment makes the message exceed the size limit.
        let filling = oddity == .longChallenge ? "<!-- \(String(repeating: "x", count: 70_000)) -->" : ""
        let asked = """
            <\(samlp["AuthnRequest"]) ID="\(id)" Version="2.0" IssueInstant="\(Date().ISO8601Format())" \
            Destination="\(identityProvider.escapedForMarkup)" AssertionConsumerServiceURL="\(consumer.escapedForMarkup)" \
            ProtocolBinding='urn:oasis:names:tc:SAML:2.0:bindings:PAOS'>
              <\(saml["Issuer"])>https://sp.example/metadata</\(saml["Issuer"])><!-- of the mock -->
              <\(samlp["NameIDPolicy"]) AllowCreate="1" />
            </\(samlp["AuthnRequest"])>
            """
        let content = oddity == .noRequest ? "" : asked
        return """
            \(oddity == .documentType ? "<!DOCTYPE note [<!ENTITY one \"1\">]>" : "")\
            <\(soap["Envelope"]) \(soap.declaration) \(samlp.declaration) \(saml.declaration)>\
            <\(soap["Header"])>\(filling)\(blocks.joined())</\(soap["Header"])>\
            <\(soap["Body"])>\(content)</\(soap["Body"])></\(soap["Envelope"])>
            """
    }

    /// Returns the identity provider's message for an authenticated user.
    func response(to id: String, consumer: String, assertion: String, user: String) -> String {
        // In Swift, the combining accent forms one character with the end of the preceding tag.
        let text =
            oddity == .unusualText
            ? """
            \u{301}<!-- a > b & c --><![CDATA[</x> & ]]]]><![CDATA[>]]>
            ]]&gt; &#x20AC;&#8364; &quot;u\u{308}' \u{1F511}\t
            """ : "alice@example.com"
        let content = """
            <\(saml["Assertion"]) ID="\(assertion)" Version="2.0" IssueInstant="\(Date().ISO8601Format())">\
            <\(saml["Issuer"])>https://idp.example/</\(saml["Issuer"])>\
            <\(saml["Subject"])><\(saml["NameID"])>\(user.escapedForMarkup)</\(saml["NameID"])></\(saml["Subject"])>\
            <\(saml["AttributeStatement"])><\(saml["Attribute"]) Name="mail">\
            <\(saml["AttributeValue"]) \(instance["type"])="\(schema["string"])">\(text)</\(saml["AttributeValue"])>\
            </\(saml["Attribute"])></\(saml["AttributeStatement"])></\(saml["Assertion"])>
            """
        let status = "<\(samlp["StatusCode"]) Value=\"urn:oasis:names:tc:SAML:2.0:status:Success\"/>"
        return message(to: id, consumer: consumer, status: status, content)
    }

    /// Returns the identity provider's message for a wrong password.
    func refusal(of id: String, consumer: String) -> String {
        let status = """
            <\(samlp["StatusCode"]) Value="urn:oasis:names:tc:SAML:2.0:status:Responder">\
            <\(samlp["StatusCode"]) Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></\(samlp["StatusCode"])>\
            <\(samlp["StatusMessage"])>WRONGUSERPASS</\(samlp["StatusMessage"])>
            """
        return message(to: id, consumer: consumer, status: status, "")
    }

    private func message(to id: String, consumer: String, status: String, _ content: String) -> String {
        let named = oddity == .otherConsumer ? "https://other.example/paos" : consumer
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <\(soap["Envelope"]) \(soap.declaration) \(samlp.declaration) \(saml.declaration) \(schema.declaration)>\
            <\(soap["Header"])><\(profile["RequestAuthenticated"]) \(profile.declaration) \(isForClient)/>\
            <\(profile["Response"]) \(profile.declaration) \(isForClient) AssertionConsumerServiceURL="\(named.escapedForMarkup)"/>\
            </\(soap["Header"])><\(soap["Body"]) \(instance.declaration)>\
            <\(samlp["Response"]) ID="_\(Token.make())" Version="2.0" IssueInstant="\(Date().ISO8601Format())" \
            Destination="\(named.escapedForMarkup)" InResponseTo="\(id)"><\(saml["Issuer"])>https://idp.example/</\(saml["Issuer"])>\
            <\(samlp["Status"])>\(status)</\(samlp["Status"])>\(content)</\(samlp["Response"])></\(soap["Body"])></\(soap["Envelope"])>
            """
    }
}

/// A namespace and its prefix; an empty prefix for the default namespace.
private struct Prefix: Sendable {
    private let prefix: String
    private let namespace: String

    init(_ prefix: String, _ namespace: String) {
        self.prefix = prefix
        self.namespace = namespace
    }

    var declaration: String { "\(prefix.isEmpty ? "xmlns" : "xmlns:\(prefix)")=\"\(namespace)\"" }

    /// A qualified name in the namespace.
    subscript(name: String) -> String { prefix.isEmpty ? name : "\(prefix):\(name)" }
}
