// The code of the article "Keystone in ten steps".

import Countersign
import Foundation
import Keystone

func signIn(
    on session: Session, identityURL: URL, compute: URL, images: URL, application: any KeystonePasswordPrompting
) {
    // snippet: use
    let observer = KeystonePasswordObserver(
        parameters: KeystonePasswordParameters(
            identityURL: identityURL, cloud: [compute, images], user: "alice"),
        prompting: application)
    session.register(observer)
    // end
}
