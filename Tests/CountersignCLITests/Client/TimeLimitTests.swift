import ArgumentParser
import Countersign
import CountersignTesting
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignCLI

/// The time limit of a whole command.
@Suite(.takesTurns, .timeLimit(.minutes(5))) struct TimeLimitTests {
    @Test func `a login and a request that take too long end with 75`() async throws {
        try await MockFormLogin.run { mock in
            let bench = try CommandBench()
            let values = [
                "--no-store", "--timeout", "0.3", "--landscape", "FormLogin", "--method", "FormLogin", "--set",
                "loginURL=\(mock.loginURL)", "--set", "user=alice", "--set-file",
                "password=\(try bench.write("wonderland", to: "password"))",
            ]
            _ = mock.hold(until: 100)
            for command in ["request", "login", "token"] {
                let ended = await bench.run([command] + values + [mock.url.appending(path: "data").absoluteString])
                #expect(ended.exit == CommandExit.temporary, "\(command): \(ended.messages)")
                #expect(ended.messages.contains("error: The time limit of 0.3 seconds has passed.\nhelp: Give more time"))
            }
        }
    }

    @Test func `work in time is not changed`() async throws {
        let limit = try TimeLimit.parse(["-m", "600"])
        let value = try await limit.run { 7 }
        #expect(value == 7)
        await #expect(throws: CommandExit.failed) { try await limit.run { throw CommandExit.failed } }
        await #expect(throws: CountersignError.self) { try await limit.run { throw CountersignError(.cancelled, detail: "") } }
        #expect(TimeLimit.text(1) == "1 second" && TimeLimit.text(30) == "30 seconds" && TimeLimit.text(0.5) == "0.5 seconds")
    }

    @Test func `the cancellation of the caller is that of the work`() async throws {
        let limit = try TimeLimit.parse(["--timeout", "600"])
        let task = Task { try await limit.run { try await Task.sleep(for: .seconds(600)) } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["0", "-1", "nan", "inf", "1e300", "soon"])
    func `a limit is a positive number of seconds`(text: String) {
        #expect(throws: (any Error).self) { try TimeLimit.parse(["--timeout=\(text)"]) }
    }
}
