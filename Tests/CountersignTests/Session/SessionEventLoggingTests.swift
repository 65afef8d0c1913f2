import Testing

@testable import Countersign

@Suite struct `Log lines of events` {
    @Test func `what is configured and not done is a warning that says what to do`() throws {
        let log = MemoryLog()
        SessionEvent(.passedOver(page: "{xsuaaAuthorizationURL}")).log(to: log.logger())
        let line = try #require(log.lines.first)
        #expect(line.hasPrefix("warning "))
        #expect(line.contains("page={xsuaaAuthorizationURL}"))
        #expect(line.contains("embedded web view"))
        #expect(line.contains("omit the page's parameter"))
    }

    @Test func `warnings alone are logged where nobody listens`() {
        let warnings: [SessionEvent.Kind] = [.passedOver(page: "p"), .notStored, .withheld, .damaged]
        #expect(warnings.filter(\.isWarning) == warnings)
        let others: [SessionEvent.Kind] = [
            .challenged(signature: "s"), .started(interactive: true), .failed(code: "c"), .unanswered(code: "c", status: 401),
            .expired, .ended,
        ]
        #expect(others.filter(\.isWarning) == [])
    }

    @Test func `a store that cannot be cleared is in the log`() {
        let log = MemoryLog()
        let failing = FailingStore(["clear": .notPermitted])
        CredentialTokenStore(failing, name: "c4n4ry").clear(reportingTo: log.logger())
        #expect(log.lines == ["warning a store failed to delete its tokens code=not-permitted"])
        failing.heal()
        CredentialTokenStore(failing).clear(reportingTo: log.logger())
        #expect(log.lines.count == 1)
    }
}
