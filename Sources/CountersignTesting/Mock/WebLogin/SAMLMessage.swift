import Foundation

/// The messages between the two servers: shaped like SAML's, as far as a browser that carries them can tell.
///
/// Like the real ones they are XML in base64, with padding and with characters that a form has to escape. They carry identifiers only
/// and no signature: the service provider asks the identity provider whether it issued an assertion.
enum SAMLMessage {
    /// What the service provider sends the browser away with.
    static func request(id: String) -> String {
        encode(
            """
            <samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="\(id)" Version="2.0"/>
            """)
    }

    /// What the identity provider sends it back with.
    static func response(id: String, inResponseTo requestID: String) -> String {
        encode(
            """
            <samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="\(id)" InResponseTo="\(requestID)" Version="2.0"/>
            """)
    }

    /// The value of an attribute of a message; `nil` if the text is no message.
    static func attribute(_ name: String, of message: String) -> String? {
        guard let data = Data(base64Encoded: message) else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard text.hasPrefix("<samlp:"), let start = text.range(of: " \(name)=\""),
            let end = text[start.upperBound...].firstIndex(of: "\"")
        else { return nil }
        return String(text[start.upperBound..<end])
    }

    private static func encode(_ xml: String) -> String {
        // The comment is "PCEtLSB+fn4+LS0+Cgo=" in base64 if it begins at a multiple of three bytes: a plus sign and padding in every
        // message, so that a client that does not escape them fails always and not sometimes.
        let space = String(repeating: " ", count: (3 - xml.utf8.count % 3) % 3)
        return Data((xml + space + "<!-- ~~~>-->\n\n").utf8).base64EncodedString()
    }
}
