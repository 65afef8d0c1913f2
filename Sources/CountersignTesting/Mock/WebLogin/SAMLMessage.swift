import Foundation

/// The messages between the two servers, which resemble those of SAML for the browser that carries them.
///
/// They are XML in base64 with padding and with characters that must be escaped in forms. They contain identifiers but no
/// signature: the service provider asks the identity provider whether it issued an assertion.
enum SAMLMessage {
    /// Returns the request of the service provider to the identity provider.
    static func request(id: String) -> String {
        encode(
            """
            <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="\(id)" Version="2.0"/>
            """)
    }

    /// Returns the response of the identity provider to the service provider.
    static func response(id: String, inResponseTo requestID: String) -> String {
        encode(
            """
            <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="\(id)" InResponseTo="\(requestID)" Version="2.0"/>
            """)
    }

    /// Returns the value of an attribute of a message; `nil` if the text is not a message or has no such attribute.
    static func attribute(_ name: String, of message: String) -> String? {
        guard let data = Data(base64Encoded: message) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard text.hasPrefix("<samlp:"), let start = text.range(of: " \(name)=\""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return String(text[start.upperBound..<end])
    }

    private static func encode(_ xml: String) -> String {
        // Aligned to three bytes, the comment is "PCEtLSB+fn4+LS0+Cgo=" in base64, so every message has a plus sign and padding,
        // and a client without escaping always fails and not only sometimes.
        let space = String(repeating: " ", count: (3 - xml.utf8.count % 3) % 3)
        return Data((xml + space + "<!-- ~~~>-->\n\n").utf8).base64EncodedString()
    }
}
