import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import SAPMobileServices
import SAPMobileServicesTesting
import TestTurns
import Testing

@testable import CountersignCLI

/// Responses that are challenges of another method than the command's.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct OtherChallengeTests {
    @Test func `a login by a method without the server's challenge names the method that has it`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let url = mock.baseURL.appending(path: "backend").absoluteString
            let login = await CommandBench.run([
                "login", "--no-store", "--landscape", "SAPMobileServices", "--method", "OTP", "--set",
                "backendURL=\(mock.baseURL.absoluteString)", url,
            ])
            #expect(login.exit == CommandExit.refused)
            #expect(login.messages.contains("the challenge 'login-request' of SAPMobileServices.SAML"))
            #expect(login.messages.contains("'--method SAML'"))
        }
    }

    @Test func `a probe of a server with a login of SAML names it`() async throws {
        try await MockLandscape.run(.sapMobileServices, rules: .sapMobileServices) { mock in
            let probe = await CommandBench.run(["probe", mock.baseURL.appending(path: "backend").absoluteString])
            #expect(probe.exit == ExitCode(0))
            #expect(probe.messages.contains("This is the challenge 'login-request' of SAPMobileServices.SAML."))
        }
    }
}
