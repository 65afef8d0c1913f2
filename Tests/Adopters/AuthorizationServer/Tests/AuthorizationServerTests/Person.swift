import Testing

/// A user who is registered at the server.
struct Person: CustomTestStringConvertible {
    let name: String
    let password: String
    /// The secret that the user's authenticator app shares with the server.
    let factor: String
    /// Whether the user has the app at hand.
    var ownsFactor = true

    static let alice = Person(name: "alice", password: "wonderland", factor: "labsecretlabsecret12")
    static let jürgen = Person(name: "jürgen", password: "pässwörd€", factor: "labsecretlabsecret13")

    var testDescription: String { name }
}
