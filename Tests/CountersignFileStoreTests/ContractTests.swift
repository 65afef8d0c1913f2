import CountersignTesting
import TestTurns
import Testing

@testable import CountersignFileStore

@Suite(.takesTurns) struct ContractTests {
    @Test func `a store of files keeps the contract, opened any number of times`() async throws {
        let scratch = try ScratchFolder()
        for finding in await CredentialStoreContract(open: { scratch.open() }).findings() { #expect(finding.isKept, "\(finding)") }
    }
}
