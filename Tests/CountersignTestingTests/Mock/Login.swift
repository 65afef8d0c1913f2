import CountersignTesting
import Foundation

/// A web login by hand, step by step, following the rules of real servers and nothing that a description says.
struct Login {
    let client: RawClient
    let mock: MockLandscape

    /// From the launcher to the identity provider's answer: what a browser is about to post to the service provider.
    func answer(
        user: String = "alice", password: String = "wonderland", launcher: String = "SAMLAuthLauncher"
    ) async throws -> RawClient.Answer {
        let page = try await form(launcher: launcher)
        return try await submit(page, user: user, password: password)
    }

    /// From the launcher to the login form.
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

    /// The whole way; the session cookie as it goes back.
    func session(user: String = "alice", password: String = "wonderland") async throws -> String? {
        let answer = try await answer(user: user, password: password)
        return try await client.post(answer.formAction ?? "", form: answer.formFields).cookie("X-SMP-SESSID")
    }
}
