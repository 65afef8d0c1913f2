import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

/// The authenticator app of the mock, which follows SAP's documentation.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct MockAuthenticatorAppTests {
    @Test func `the app's URL is the documented one`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let app = mock.authenticatorApp(for: "jürgen")
            let url = try #require(app.callback(scheme: "com.example.app.xcallbackurl"))
            #expect(
                url.absoluteString
                    == "com.example.app.xcallbackurl://x-callback-url/setCredential?x-source=com.sap.authenticator"
                    + "&username_paramname=j_username&username_paramvalue=j%C3%BCrgen&passcode_paramname=j_passcode"
                    + "&passcode_paramvalue=\(app.code)")
            #expect(app.callback(scheme: "no scheme") == nil)
        }
    }

    @Test func `the form has a link that opens the app`() {
        #expect(ServerRules.sapMobileServices.passcodeForm?.authenticator == "com.sap.authenticator://")
    }
}
