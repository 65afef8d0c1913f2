import Countersign
import Foundation
import HTTPTypes

/// The server side of a method that asks for a one-time passcode after another method.
///
/// The names of the cookie and the field and, unless the rules contain them, the URLs come from the description. All other
/// behaviour is defined in this folder.
struct PasscodeServer: MethodServer {
    let name: String
    /// `false`, since this method protects no resource by itself.
    let usesCookies = false
    let identityProviderCookies: Set<String> = []
    let ledger: PasscodeLedger
    private let form: ServerRules.PasscodeForm
    private let finish: MockAddress
    private let challengeTemplate: MockResponse
    private let resources: MockPath
    private let sessionCookie: String
    private let field: String
    private let recorder: MockRecorder

    /// The cookie that identifies a browser from which a passcode was demanded.
    static let demandCookie = "mock-passcode-demand"

    /// Creates the server for a method; `nil` if the method has no passcode page.
    init?(_ method: MethodDescription, hosts: MockHosts, options: MockOptions, rules: ServerRules, recorder: MockRecorder) {
        guard method.credential == .sessionCookies, method.mock.page == .passcode,
            case .present(let url, let finish)? = method.authenticate.first
        else { return nil }
        let described = finish.url.path(percentEncoded: true) + (finish.url.query(percentEncoded: true).map { "?" + $0 } ?? "")
        form = rules.passcodeForm ?? ServerRules.PasscodeForm(path: url.path(percentEncoded: true), finish: described)
        self.finish = MockAddress(form.finish, at: hosts.serviceProvider)
        let page = PasscodePages.challenge(form: form.path)
        guard let challenge = MockResponse(challengeOf: method, options: options, rules: rules, body: page) else { return nil }
        challengeTemplate = challenge
        name = method.name
        resources = options.passcodes.resources
        sessionCookie = method.mock.sessionCookie
        field = method.mock.passwordField
        ledger = PasscodeLedger(options: options.passcodes)
        self.recorder = recorder
    }

    var serviceProviderCookies: Set<String> { [sessionCookie, Self.demandCookie] }

    /// Returns the challenge if a request of this user requires a passcode that was not entered yet; `nil` otherwise.
    func demand(of user: String, for request: MockRequest) -> MockResponse? {
        guard request.path.hasPrefix("/resource/\(name)/") || resources.matches(request.path) else { return nil }
        guard !ledger.users(of: request.cookieValues(sessionCookie)).contains(user) else { return nil }
        recorder.count { $0.passcodes.challenges += 1 }
        return challengeTemplate.settingCookie(Self.demandCookie, to: ledger.demand(of: user))
    }

    func serviceProviderPage(for request: MockRequest) -> MockResponse? {
        guard request.path == form.path || request.path == finish.path else { return nil }
        switch request.method {
        case .get: return open(request)
        case .post: return answer(request, code: request.form?[field])
        default: return .notAllowed(allow: "GET, POST")
        }
    }

    func identityProviderPage(for request: MockRequest) -> MockResponse? { nil }
    func admit(_ request: MockRequest) -> MockAdmission { .refused(.text("the first factor is missing\n", status: .forbidden)) }
    func challenge() -> MockResponse { challengeTemplate }
    func endSession(of request: MockRequest) -> Bool { ledger.endSessions(request.cookieValues(sessionCookie)) }
    func endAllSessions() { ledger.endAllSessions() }

    private func open(_ request: MockRequest) -> MockResponse {
        guard let query = request.queryFields else { return .text("malformed query\n", status: .badRequest) }
        if isFinish(query) {
            guard !ledger.users(of: request.cookieValues(sessionCookie)).isEmpty else { return unasked() }
            return .page(LoginPages.message("Passcode accepted", "You can close this page."))
        }
        // An authenticator app opens the page with the user and the code in the query.
        guard let user = query["username"], let code = query["passcode"] else {
            return demandedUser(request) == nil ? unasked() : show(request)
        }
        return answer(request, code: demandedUser(request).map { $0 == user } == false ? nil : code)
    }

    /// - Parameter code: The submitted code; `nil` if there is none or it is for another user.
    private func answer(_ request: MockRequest, code: String?) -> MockResponse {
        let demands = request.cookieValues(Self.demandCookie)
        guard let user = demandedUser(request) else { return unasked() }
        switch code.map({ ledger.judge($0, of: user, askedBy: demands) }) ?? .wrong {
        case .accepted(let session):
            recorder.count { $0.passcodes.logins += 1 }
            let query = request.queryFields
            let staysHere = form.stay.allSatisfy { query?[$0.key] == $0.value }
            return MockResponse.redirect(to: staysHere ? finish.url : "/").settingCookie(sessionCookie, to: session)
                .clearingCookie(Self.demandCookie)
        case .wrong:
            recorder.count { $0.passcodes.wrongCodes += 1 }
            return show(request, message: "The passcode is wrong.")
        case .used:
            recorder.count { $0.passcodes.usedCodes += 1 }
            return show(request, message: "The passcode has been used: wait for the next one.")
        }
    }

    private func show(_ request: MockRequest, message: String? = nil) -> MockResponse {
        recorder.count { $0.passcodes.forms += 1 }
        let kept = request.queryFields?.pairs.filter { $0.name != "username" && $0.name != "passcode" } ?? []
        let action = form.path + (kept.isEmpty ? "" : "?" + FormFields.encode(kept))
        return .page(PasscodePages.form(action: action, field: field, message: message, authenticator: form.authenticator))
    }

    /// Returns the response to a browser from which no passcode was demanded, or whose demand has expired.
    private func unasked() -> MockResponse {
        recorder.count { $0.passcodes.unasked += 1 }
        return .page(LoginPages.message("Not found", "There is no passcode to enter."), status: .notFound)
    }

    private func demandedUser(_ request: MockRequest) -> String? {
        ledger.user(askedBy: request.cookieValues(Self.demandCookie))
    }

    private func isFinish(_ query: FormFields) -> Bool {
        guard finish.path == form.path, let expected = finish.queryNames, !expected.isEmpty else { return false }
        return expected.isSubset(of: query.pairs.map(\.name))
    }
}
