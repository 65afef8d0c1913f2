import CountersignTesting
import Foundation

/// A web login in single steps, which follows the rules of real servers and uses nothing of a description.
struct Login {
    let client: RawClient
    let mock: MockLandscape

    /// Goes from the launcher to the identity provider's response, which a browser would post to the service provider.
    func answer(
        user: String = "alice", password: String = "wonderland", launcher: String = "SAMLAuthLauncher"
    ) async throws -> RawClient.Answer {
        let page = try await form(launcher: launcher)
        return try await submit(page, user: user, password: password)
    }

    /// Goes from the launcher to the login form.
    func form(launcher: String = "SAMLAuthLauncher") async throws -> RawClient.Answer {
        let start = try await client.get(mock.baseURL.appending(path: launcher))
        return try await client.post(start.formAction ?? "", form: start.formFields)
    }

    /// Fills in the login form.
    func submit(_ page: RawClient.Answer, user: String, password: String) async throws -> RawClient.Answer {
        var fields = page.formFields
        fields["j_username"] = user
        fields["j_password"] = password
        let action = mock.identityProviderURL.absoluteString + (page.formAction ?? "")
        return try await client.post(action, form: fields, cookies: [page.cookie("mock-idp-browser")])
    }

    /// Performs the whole login, and returns the session cookie in the form in which it is sent back.
    func session(user: String = "alice", password: String = "wonderland") async throws -> String? {
        let answer = try await answer(user: user, password: password)
        return try await client.post(answer.formAction ?? "", form: answer.formFields).cookie("X-SMP-SESSID")
    }
}
