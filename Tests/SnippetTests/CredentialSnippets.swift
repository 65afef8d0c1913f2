// The code of the article "Tokens and their renewal".

import Countersign
import OpenIDConnect

// snippet: credential
/// Returns the identifier of the user who is signed in.
func signedInUser(
    of observer: OpenIDLoginObserver, in session: Session
) async throws -> String? {
    try await observer.credential(in: session)?.subject
}
// end
