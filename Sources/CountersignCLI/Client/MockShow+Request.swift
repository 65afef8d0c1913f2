import CountersignTesting
import Foundation

extension MockShow {
    /// Returns a request that a mock answers, as a command for a shell. It needs no browser.
    ///
    /// - Parameters:
    ///   - methods: The methods by which it signs in; none for the only one of the landscape.
    ///   - secrets: The values that the command gets from the environment.
    static func request(
        _ landscape: String, methods: [String] = [], _ values: [Values.Pair],
        secrets: [Values.Pair] = [("password", "wonderland")], at url: URL
    ) -> String {
        let variables = secrets.map { (name: $0.name, variable: "COUNTERSIGN_\($0.name.uppercased())", text: $0.value) }
        let words: [[String]] = [
            variables.map { "\($0.variable)=\($0.text.shellWord)" },
            ["countersign", "request", "--no-store", "--landscape", landscape],
            methods.flatMap { ["--method", $0] },
            values.flatMap { ["--set", "\($0.name)=\($0.value)".shellWord] },
            variables.flatMap { ["--set-env", "\($0.name)=\($0.variable)"] },
            [url.absoluteString.shellWord],
        ]
        return words.joined().joined(separator: " ")
    }

    /// Returns the request of a service, which is a client with a secret, to a mock of an authorization server.
    static func request(
        _ landscape: String, ofServiceBy method: String, _ values: [Values.Pair], at url: URL
    ) -> String {
        let client = MockOAuth2Client.service
        return request(
            landscape, methods: [method], values + [("clientID", client.id)], secrets: [("clientSecret", client.secret ?? "")],
            at: url)
    }
}
