/// The servers of a landscape's methods, with the paths that they protect.
package struct MethodServers: Sendable {
    /// The servers, in the order of the description.
    let all: [any MethodServer]
    /// The name of the method that protects all paths except those below `/resource/NAME/`.
    private let protection: String?

    init(_ all: [any MethodServer], protection: String?) {
        self.all = all
        self.protection = protection
    }

    /// The servers of methods whose credential is a token.
    var tokenServers: [TokenServer] { all.compactMap { $0 as? TokenServer } }

    /// The authorization server of the first method with tokens.
    package var authorization: OAuth2Routes? { tokenServers.first?.routes }

    /// Returns the method that protects a path: for `/resource/NAME/…` the method of that name, otherwise the one that the
    /// options name, or the first whose credential is a cookie, or the first. A passcode method is never chosen, since it only
    /// follows another method.
    func guardian(of request: MockRequest) -> (any MethodServer)? {
        let methods = all.filter { !($0 is PasscodeServer) }
        return methods.first { request.path.hasPrefix("/resource/\($0.name)/") } ?? methods.first { $0.name == protection }
            ?? methods.first(where: \.usesCookies) ?? methods.first
    }

    /// Checks the credential of a request for any method. If none accepts it, returns the response of the method that protects the
    /// path; `nil` if there is none.
    package func admit(_ request: MockRequest) -> MockAdmission? {
        for method in all { if case .user(let user) = method.admit(request) { return .user(user) } }
        guard let guardian = guardian(of: request) else { return nil }
        guardian.noteRefusal(of: request)
        return guardian.admit(request)
    }
}
