import CountersignTesting
import Foundation
import FormLogin
import HTTPTypes

extension ServerShow {
    /// A web application that redirects to a login form.
    static let formLogin = ServerShow(row: "Form login") { body in
        try await MockFormLogin.run { mock in
            let parameters = FormLoginParameters(loginURL: mock.loginURL, user: "alice", password: "wonderland")
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "data"), observer: FormLoginObserver(parameters: parameters),
                    challengeField: .location, counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetSessions()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// The same application, whose form a user fills in a browser.
    static let browserLogin = ServerShow(row: "Browser login") { body in
        try await MockFormLogin.run { mock in
            let parameters = BrowserLoginParameters(loginURL: mock.loginURL, doneURL: mock.url.appending(path: "/"))
            try await body(
                DemoServer(
                    url: mock.url.appending(path: "data"), observer: BrowserLoginObserver(parameters: parameters),
                    presenter: FormFillingPresenter(user: "alice", password: "wonderland"), challengeField: .location,
                    counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetSessions()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }

    /// A JSON-RPC service that demands a login in the body of a response with status 200.
    static let jsonRPCLogin = ServerShow(row: "JSON-RPC login") { body in
        try await MockFormLogin.run { mock in
            let parameters = JSONRPCLoginParameters(url: mock.serviceURL, password: "wonderland")
            try await body(
                DemoServer(
                    url: mock.serviceURL, observer: JSONRPCLoginObserver(parameters: parameters), challengeField: nil,
                    counts: { (mock.statistics.challenges, mock.statistics.sends) },
                    spoil: {
                        mock.forgetSessions()
                        mock.resetStatistics()
                    },
                    hold: { mock.hold(until: $0) }))
        }
    }
}
