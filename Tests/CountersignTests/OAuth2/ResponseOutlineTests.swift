import Foundation
import HTTPTypes
import Testing

@testable import Countersign

/// The parts of a response that may be shown, and their use in a method's errors.
@Suite struct `Outlines of responses` {
    private func outline(_ body: String, at address: String = "https://login.example/token") throws -> ResponseOutline {
        ResponseOutline(HTTPResponse(status: .badRequest), body: Array(body.utf8), at: try #require(URL(string: address)))
    }

    @Test func `RT-30 an address is shown without its user, password, query and fragment`() throws {
        let outline = try outline("", at: "https://c4n4ry:c4n4ry@login.example:8443/token?code=c4n4ry#c4n4ry")
        #expect(outline.url.absoluteString == "https://login.example:8443/token")
    }

    @Test(arguments: ["supersecretpasscode", "c4n4ry", "aaaa_bbbb", "", "access_token\u{0}", "ACCESS_TOKEN"])
    func `RT-30 the name of a member is shown only if it is a well-known one`(name: String) throws {
        let outline = try outline(#"{"access_token":"c4n4ry","\#(name)":"c4n4ry"}"#)
        #expect(outline.body == #"{"access_token":"<redacted>"}"# || outline.body.isEmpty, "unreadable text has no outline")
        #expect(!outline.body.contains("c4n4ry"))
    }

    @Test func `what is no object has no outline`() throws {
        for body in ["", "[]", "c4n4ry", "{", "{\"c4n4ry\""] { #expect(try outline(body).body == "") }
    }
}

/// A handwritten grant of two requests.
@Suite struct `Errors of a grant's steps` {
    private struct Grant: ProgramParameters {
        static let program = MethodProgram(
            name: "Two", grant: "two", summary: "Two.", slots: [.parameter("server")], challenges: [],
            credential: CredentialShape(destinations: [], token: CredentialShape.Token()),
            acquire: [step("/first", error: 0), step("/second", error: 1)])
        let server: URL

        private static func step(_ path: String, error: Int) -> ProgramStep {
            .token(
                TokenCall(
                    ProgramTemplate(.slot(0), .text(path)), form: [HTTPCall.Member("a", "b")], failures: [.status: error]))
        }

        var slotValues: [ProgramValue] { [.url(server)] }

        static func error(_ number: Int, _ detail: String, _ cause: any Error) -> (any AuthenticationError)? {
            number == 0 ? LoginError.reloaded : LoginError.background
        }
    }

    @Test func `an error is mapped by the step that failed`() async throws {
        let transport = ScriptedTransport { sent in
            sent.path == "/first"
                ? Reply(
                    200, [("Content-Type", "application/json")],
                    body: ResponseBody(bytes: Array(#"{"access_token":"a","token_type":"Bearer"}"#.utf8)))
                : Reply(500)
        }
        let session = Session(configuration: .test(), transport: transport)
        let authenticator = GrantAuthenticator(
            Grant(server: try #require(URL(string: "https://login.example"))), session: session)
        do {
            _ = try await authenticator.authenticate()
            Issue.record("no error")
        } catch let error as LoginError {
            #expect(error.code == "background")
        }
    }
}
