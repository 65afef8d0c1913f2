package import CountersignSpec

/// The runtime errors that a method can end with, in addition to the errors that its spec declares.
///
/// They follow from the method's steps. The texts repeat those of the runtime, because this module does not link it. A test
/// compares them.
package enum RuntimeErrors {
    package struct Row: Sendable {
        /// The error's code, as in `CountersignError.Code`.
        package let code: String
        package let meaning: String
        /// The runtime's recovery suggestion; `nil` if it has none.
        package let remedy: String?
    }

    /// All runtime errors, in the order of an authentication.
    package static let all: [Row] = [
        Row(
            code: "credential-missing", meaning: "The application was asked, and has no credential.",
            remedy: "Give the observer a credential for this address."),
        Row(
            code: "no-presenter", meaning: "A login page has to be shown, and the session has no presenter.",
            remedy: "Set a presenter on the session's configuration, or give one to the authenticator."),
        Row(
            code: "presenter-failed", meaning: "The login page could not be shown, or led elsewhere.",
            remedy: "Check that the login page can be reached, and that it leads to the finish URL."),
        Row(
            code: "page-refused", meaning: "The server answered with an error in place of a login page.",
            remedy: "Follow the instructions in the detail; if the server requires this page, check the page's address."),
        Row(
            code: "answer-refused", meaning: "The answer of the login page belongs to another login, or to another server.",
            remedy: "Log in again; if the error persists, check which server the login page belongs to."),
        Row(
            code: "unreachable", meaning: "A server that the credential comes from could not be reached.",
            remedy: "Try again when the server can be reached."),
        Row(
            code: "refused-by-server", meaning: "The server refused the login.",
            remedy: "Check the user's credentials, or the client's credentials and registration; the detail may name the reason."),
        Row(
            code: "token-request-failed", meaning: "The token endpoint gave no token.",
            remedy: "Check the address of the token endpoint, and the client's identifier and secret."),
        Row(
            code: "unexpected-answer", meaning: "A server's response was not as the spec describes it.",
            remedy: "Check the address of the server, and that the spec describes its responses."),
        Row(
            code: "unusable-challenge", meaning: "A value of the challenge, or of an answer, cannot be used.",
            remedy: "Check the address of the server, and that the spec describes the values that it sends."),
        Row(
            code: "address-refused", meaning: "A server named an address that is not allowed.",
            remedy: "If requests to that address are intended, add it to the method's parameters."),
        Row(
            code: "untrusted-token", meaning: "A signed token is not the issuer's, is for another client, or has expired.",
            remedy: "Check the issuer, the client's identifier and this machine's clock; if they are right, do not use this server."
        ),
        Row(
            code: "other-user", meaning: "A token is for another user than the expected one, usually the one before.",
            remedy: "Log out before another user logs in, or have the user select the former account on the login page."),
        Row(
            code: "server-not-proven", meaning: "The server took a ticket and failed to prove who it is.",
            remedy: "Do not use this server, unless its operator can explain why it does not support mutual authentication."),
        Row(
            code: "insecure-destination", meaning: "The credential would have been sent unencrypted to another machine.",
            remedy: "Use https."),
        Row(
            code: "challenged-again", meaning: "The server refused a request that carried the credential.",
            remedy: "Check the credential and its permissions, and that cookies of the login are sent to this address."),
        Row(
            code: "too-many-authentications", meaning: "More authentications in a short time than the session allows.",
            remedy: "Wait, then try again; if the error persists, the server rejects its own sessions."),
        Row(
            code: "body-not-replayable", meaning: "The request was challenged, and its body can be read only once.",
            remedy: "Send the body as bytes or as a restartable stream, or authenticate before sending it."),
        Row(
            code: "timed-out", meaning: "The authentication took longer than the session's limit.",
            remedy: "Try again, or raise the limit."),
        Row(
            code: "authentication-cancelled", meaning: "The user cancelled, or all waiting requests were cancelled.",
            remedy: "Authenticate again when the user wants to."),
    ]

    /// Returns the errors that the programs of a method can end with.
    package static func rows(of programs: [ResolvedProgram]) -> [Row] {
        let codes = Set(programs.flatMap(codes))
        return all.filter { codes.contains($0.code) }
    }

    private static func codes(of program: ResolvedProgram) -> [String] {
        var codes: [String] = []
        let steps = program.steps
        let failures = Set(program.failures.map(\.failure))
        for step in steps {
            switch step.action {
            case .prompt, .ask:
                if !failures.contains(.missing) { codes.append("credential-missing") }
                if !failures.contains(.cancelled) { codes.append("authentication-cancelled") }
            case .present(let page):
                let own = Set(page.failures.map(\.failure))
                codes.append("no-presenter")
                if !own.contains(.load) { codes.append("presenter-failed") }
                if !own.contains(.dismissed) { codes.append("authentication-cancelled") }
                if !page.explanations.isEmpty, !own.contains(.refused) { codes.append("page-refused") }
                if !page.verify.isEmpty { codes.append("answer-refused") }
            case .http(let call):
                let own = Set(step.failures.map(\.failure))
                if !own.contains(.network) { codes.append("unreachable") }
                if !own.contains(.status) { codes.append("unexpected-answer") }
                if call.answers.contains(where: \.isRefusal), !own.contains(.refused) { codes.append("refused-by-server") }
                codes += values(of: call.answers.flatMap(\.pattern.captures))
            case .token(let call):
                let own = Set(call.failures.map(\.failure))
                if !own.contains(.network) { codes.append("unreachable") }
                if !own.contains(.server) { codes.append("refused-by-server") }
                if !own.contains(.status) || !own.contains(.decode) { codes.append("token-request-failed") }
            case .document: codes += ["unreachable", "unexpected-answer", "address-refused"]
            case .verify(let call):
                codes.append("untrusted-token")
                if call.claims.contains(where: { $0.name.pieces == [.text("sub")] }) { codes.append("other-user") }
            case .repeat, .compute: break
            }
        }
        codes += values(of: program.challenges.flatMap(\.captures))
        if program.showsTickets { codes.append("server-not-proven") }
        if !program.attach.isEmpty { codes.append("insecure-destination") }
        if !program.challenges.isEmpty {
            codes.append("body-not-replayable")
            if program.rejections.contains(where: { $0.error == nil }) || program.rejections.isEmpty {
                codes.append("challenged-again")
            }
        }
        if !steps.isEmpty { codes += ["timed-out", "too-many-authentications"] }
        return codes
    }

    /// Returns the codes of errors that captured values can cause.
    private static func values(of captures: [ResolvedProgram.Capture]) -> [String] {
        captures.flatMap { capture -> [String] in
            if case .url = capture.kind { return ["address-refused", "unusable-challenge"] }
            return ["unusable-challenge"]
        }
    }
}
