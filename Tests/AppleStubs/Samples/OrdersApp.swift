// The parts for iOS of the article "Getting started" in the documentation of SAPMobileServices: type-checked by `.ci/apple`, never run.

// snippet: orders-app
import SAPMobileServices
import UIKit

/// The session of an app. Login pages are in a sheet.
func appSession(settings: SAPcpmsSettingsParameters) -> SAPURLSession {
    var configuration = SAPURLSession.Configuration()
    configuration.presenter = WKWebViewPresenter()
    let session = SAPURLSession(configuration: configuration)
    session.register(SAMLObserver(settingsParameters: settings))
    // The second factor is behind the method that comes first.
    session.register(OTPObserver(settingsParameters: settings))
    return session
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    /// Passes on the URL with which an authenticator app opens this app.
    func scene(
        _ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>
    ) {
        SceneDelegateDispatcher.scene(scene, openURLContexts: contexts)
    }
}
// end
