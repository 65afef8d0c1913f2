@_spi(Generated) import Countersign
import Foundation
import Synchronization
import TestTurns
import Testing

@Suite(.computes) struct `What generated code uses of the runtime` {
    private let values = ConfigurationValues(
        [
            "mode": "on_time", "badMode": "onTime", "header": "X-A", "badHeader": "X A", "empty": "", "yes": "true", "no": "false",
            "Yes": "True", "commas": ",,",
        ], source: "test.json")

    @Test func `values are read by their type`() throws {
        #expect(try values.header(["missing", "header"]) == "X-A")
        #expect(try values.boolean(["yes"]) == true && values.boolean(["no"]) == false && values.boolean(["missing"]) == nil)
    }

    private enum Mode: String, CaseIterable {
        case onTime = "on_time"
        case late
    }

    private enum OtherMode: String {
        case late
        case onTime = "on_time"
        case never
    }

    @Test func `a value of a closed set is read by its text, and an error lists the set`() throws {
        #expect(try values.choice(["missing", "mode"], of: Mode.self) == .onTime)
        #expect(try values.choice(["missing"], of: Mode.self) == nil)
        #expect(
            throws: ConfigurationError.invalidStructure(
                detail: "'badMode' is not one of 'on_time', 'late'", source: "test.json")
        ) { try values.choice(["badMode"], of: Mode.self) }
    }

    @Test func `a value of a closed set is that of another one by its text`() {
        let mode: OtherMode = GeneratedCodeVersion3.choice(Mode.onTime)
        #expect(mode == .onTime)
        let possible: OtherMode? = GeneratedCodeVersion3.choice(Mode.late)
        #expect(possible == .late)
    }

    @Test func `a value of another shape is an error that names the key and not the value`() {
        let readings: [(String, () throws -> Any?)] = [
            ("badHeader", { try values.header(["badHeader"]) }), ("empty", { try values.header(["empty"]) }),
            ("Yes", { try values.boolean(["Yes"]) }), ("commas", { try values.texts(["commas"]) }),
        ]
        for (key, reading) in readings {
            let error = #expect(throws: ConfigurationError.self, "\(key)") { _ = try reading() }
            #expect(error?.failureReason?.hasPrefix("In test.json, '\(key)' is not ") == true)
        }
    }

    @Test func `a value that has to be there is asked for by its key`() throws {
        #expect(try values.required("x", key: "k") == "x")
        #expect(throws: ConfigurationError.missingKey("k", source: "test.json")) { try values.required(String?.none, key: "k") }
        #expect(throws: ConfigurationError.invalidStructure(detail: "there is no value for 'f'", source: "test.json")) {
            try values.derived(String?.none, field: "f")
        }
    }

    @Test func `what is wrong with the settings is why a value that they would give is missing`() throws {
        let broken = Result<Int, any Error>.failure(ConfigurationError.missingKey("appID", source: "test.json"))
        #expect(try values.required("x", key: "k", or: broken) == "x")
        #expect(throws: ConfigurationError.missingKey("appID", source: "test.json")) {
            try values.required(String?.none, key: "k", or: broken)
        }
        #expect(throws: ConfigurationError.missingKey("appID", source: "test.json")) {
            try values.derived(String?.none, field: "f", or: broken)
        }
        #expect(throws: ConfigurationError.missingKey("k", source: "test.json")) {
            try values.required(String?.none, key: "k", or: Result<Int, any Error>.success(1))
        }
    }

    @Test func `a reason has the texts of the runtime's errors and of no others`() {
        struct Foreign: Error, CustomStringConvertible { let description = "token=secret" }
        typealias Code = GeneratedCodeVersion3
        #expect(Code.failureReason("Why.", error: Foreign()) == "Why.")
        #expect(Code.failureReason(nil, error: Foreign()) == nil)
        #expect(Code.failureReason("Why.", detail: "This.") == "Why. This.")
        #expect(Code.failureReason("Why.", error: PresentationFailure.load(Foreign())) == "Why. A page could not be loaded.")
        #expect(Code.failureReason(nil, error: PresentationFailure.dismissed) == "The page was closed.")
        #expect(Code.failureReason("Why.", error: CountersignError(.timedOut, detail: "Too late.")) == "Why. Too late. [timed-out]")
        let inner = ConfigurationError.missingKey("host", source: "a.json")
        #expect(Code.failureReason("Why.", error: PresentationFailure.load(inner)) == "Why. \(inner.description)")
    }

    @Test func `a completion handler that is called twice counts once`() async throws {
        try await GeneratedCodeVersion3.completion(
            of: { complete in
                complete(nil)
                complete(CancellationError())
            }, cancel: {})
        await #expect(throws: CancellationError.self) {
            try await GeneratedCodeVersion3.completion(
                of: { complete in
                    complete(CancellationError())
                    complete(nil)
                }, cancel: {})
        }
    }

    @Test func `a cancelled task cancels the application's authentication`() async throws {
        let handler = Mutex<(@Sendable ((any Error)?) -> Void)?>(nil)
        let (started, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await GeneratedCodeVersion3.completion(
                of: { complete in
                    handler.withLock { $0 = complete }
                    start.finish()
                },
                cancel: { handler.withLock { $0 }?(CancellationError()) })
        }
        for await _ in started {}
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `literal text is a URL`() {
        #expect(GeneratedCodeVersion3.url("https://login.example/a?b=c").absoluteString == "https://login.example/a?b=c")
    }
}
