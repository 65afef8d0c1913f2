import Foundation
import TestTurns
import Testing

@testable import CountersignIdentity

/// The archives of appendix A, with the MAC of PBMAC1.
@Suite(.computes, .enabled(if: RFC9579Suite.folder != nil, "\(RFC9579Suite.whereToPutIt)")) struct `RFC 9579` {
    private func archive(_ name: String) throws -> [UInt8] {
        let text = try String(contentsOf: #require(RFC9579Suite.folder).appending(path: "rfc9579-\(name).txt"), encoding: .utf8)
        return Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    @Test(arguments: ["a1", "a2", "a3"]) func `a valid archive is read`(name: String) throws {
        let archive = try PKCS12Archive(reading: archive(name), password: "1234", at: .distantPast)
        #expect(archive.identity.certificateChain.count == 1)
    }

    @Test(arguments: ["a1", "a2", "a3"]) func `a wrong password is reported as such`(name: String) throws {
        let bytes = try archive(name)
        expect(.wrongPassword) { () throws(IdentityError) in try PKCS12Archive(reading: bytes, password: "12345", at: .distantPast)
        }
    }

    @Test(arguments: [("a4", IdentityError.Code.wrongPassword), ("a5", .wrongPassword), ("a6", .malformed)])
    func `a wrong count, a wrong salt and a missing length are refused`(name: String, code: IdentityError.Code) throws {
        let bytes = try archive(name)
        expect(code) { () throws(IdentityError) in try PKCS12Archive(reading: bytes, password: "1234", at: .distantPast) }
    }
}
