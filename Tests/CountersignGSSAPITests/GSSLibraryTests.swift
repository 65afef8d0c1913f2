@_spi(Generated) internal import Countersign
internal import TestTurns
internal import Testing

@testable @_spi(Generated) internal import CountersignGSSAPI

@Suite(.takesTurns) struct GSSLibraryTests {
    @Test func `a library that is not there is named, with what to install`() async throws {
        let security = GSSAPISecurity { () throws(SecurityContextError) in try GSSLibrary.load("libgssapi_none.so.2") }
        let error = try #require(
            await #expect(throws: SecurityContextError.self) {
                _ = try await security.makeContext(for: "HTTP@web.lab.test", as: nil, bindings: nil)
            })
        #expect(error.code == .noLibrary)
        #expect(error.detail.contains("libgssapi_none.so.2"))
        #if os(Linux)
        #expect(error.detail.contains("libgssapi-krb5-2"))
        #endif
    }

    @Test func `a library that is another is refused`() throws {
        #if os(Linux)
        let error = try #require(throws: SecurityContextError.self) { _ = try GSSLibrary.load("libc.so.6") }
        #expect(error == SecurityContextError(.noLibrary, detail: "the GSSAPI library libc.so.6 has no gss_import_name"))
        #endif
    }

    @Test func `texts of the library have no control characters, and an end`() {
        #expect(GSSStatus.plain("No\0 ticket\u{1B}[31m\n\u{202E}here") == "No ticket[31mhere")
        #expect(GSSStatus.plain(String(repeating: "a", count: 300)).count == 300)
        #expect(GSSStatus.plain(String(repeating: "a", count: 301)) == String(repeating: "a", count: 299) + "…")
    }

    @Test func `an error says what happened, and its code`() {
        let error = SecurityContextError(.noTicket, detail: "there is no Kerberos ticket")
        #expect("\(error)" == "there is no Kerberos ticket [no-ticket]")
        #expect(Set(SecurityContextError.Code.allCases.map(\.rawValue)).count == 6)
    }
}
