/// The body of a request to a mock cloud for a token.
struct MockKeystoneLogin: Decodable {
    struct Auth: Decodable {
        let identity: Identity
        let scope: Scope?
    }

    struct Identity: Decodable {
        let methods: [String]
        let password: Factor?
        let totp: Factor?
    }

    struct Factor: Decodable { let user: User }

    struct User: Decodable {
        let name: String
        let domain: Domain
        let password: String?
        let passcode: String?
    }

    struct Scope: Decodable { let project: Project }

    struct Project: Decodable {
        let name: String
        let domain: Domain
    }

    struct Domain: Decodable { let name: String }

    let auth: Auth
}
