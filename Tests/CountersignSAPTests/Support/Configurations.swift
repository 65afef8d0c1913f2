import CountersignSAP
import Foundation
import Testing

/// Configurations in the forms of generated files.
enum Configurations {
    /// The configuration as the cockpit of Cloud Foundry exports it.
    static let cloudFoundry = """
        {"auth":[{"type":"oauth2","config":{
          "oauth2.authorizationEndpoint":"https://app.example/oauth2/api/v1/authorize",
          "oauth2.tokenEndpoint":"https://app.example/oauth2/api/v1/token",
          "oauth2.xsuaaAuthorizationEndpoint":"https://sub.authentication.example/oauth/authorize?response_type=code&client_id=sb-x",
          "oauth2.clients":[{"clientID":"c0de","grantType":"authorization_code","redirectURL":"com.example.app://app.example"}]}}],
         "host":"app.example","protocol":"https"}
        """

    /// The configuration in a QR code of the cross-context single sign-on.
    static let scanned = """
        {"auth":[{"type":"oauth2","config":{
          "oauth2.authorizationEndpoint":"https://app.example/oauth2/api/v1/authorize",
          "oauth2.tokenEndpoint":"https://app.example/oauth2/api/v1/token",
          "oauth2.clients":[
            {"clientID":"s1","grantType":"client_credentials","clientSecret":"c4n4ry-secret"},
            {"clientID":"qr","grantType":"password","redirectURL":"com.example.app://app.example","passcode":"\(passcode)"}]}}],
         "host":"app.example","protocol":"https","appID":"com.example.app"}
        """

    static let passcode = "c4n4ry00112233445566778899aabbcc"

    static func read(_ text: String) throws -> DiscoveryConfiguration { try DiscoveryConfiguration(data: Data(text.utf8)) }
}

/// Returns all text that can be obtained from a value.
func everything(of value: Any) -> String {
    var text = "\(value)\n" + String(reflecting: value) + "\n"
    dump(value, to: &text)
    if let error = value as? any LocalizedError {
        text += [error.errorDescription, error.failureReason, error.recoverySuggestion, error.helpAnchor].compactMap { $0 }.joined()
    }
    return text
}
