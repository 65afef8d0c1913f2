import CountersignTesting
import Foundation
import TestTurns
import Testing

@Suite(.takesTurns) struct TimeBasedPasscodeTests {
    /// RFC 6238, appendix B: eight digits. The secrets repeat the same twenty characters up to the length of the hash.
    @Test(arguments: [
        (59, "94287082", "46119246", "90693936"),
        (1_111_111_109, "07081804", "68084774", "25091201"),
        (1_111_111_111, "14050471", "67062674", "99943326"),
        (1_234_567_890, "89005924", "91819424", "93441116"),
        (2_000_000_000, "69279037", "90698825", "38618901"),
        (20_000_000_000, "65353130", "77737706", "47863826"),
    ])
    func `RFC 6238 appendix B`(_ time: Double, _ sha1: String, _ sha256: String, _ sha512: String) {
        let characters = Array("1234567890".utf8)
        func secret(_ length: Int) -> [UInt8] { (0..<length).map { characters[$0 % 10] } }
        let date = Date(timeIntervalSince1970: time)
        #expect(TimeBasedPasscode(secret: secret(20), algorithm: .sha1, digits: 8).code(at: date) == sha1)
        #expect(TimeBasedPasscode(secret: secret(32), algorithm: .sha256, digits: 8).code(at: date) == sha256)
        #expect(TimeBasedPasscode(secret: secret(64), algorithm: .sha512, digits: 8).code(at: date) == sha512)
    }

    /// RFC 4226, appendix D: the six digits of the first ten steps.
    @Test(
        arguments: zip(
            0..<10, ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"]))
    func `RFC 4226 appendix D`(_ step: Int, _ code: String) {
        let passcode = TimeBasedPasscode(secret: Array("12345678901234567890".utf8))
        #expect(passcode.code(at: Date(timeIntervalSince1970: Double(step * 30))) == code)
        #expect(passcode.code(at: Date(timeIntervalSince1970: Double(step * 30) + 29.9)) == code)
        #expect(passcode.step(at: Date(timeIntervalSince1970: Double(step * 30))) == UInt64(step))
    }

    @Test func `numbers that make no sense are brought into their bounds`() {
        #expect(TimeBasedPasscode(secret: [1], digits: 1).digits == 6)
        #expect(TimeBasedPasscode(secret: [1], digits: 12).digits == 8)
        #expect(TimeBasedPasscode(secret: [1], period: 0).period == 1)
        #expect(TimeBasedPasscode(secret: [1]).step(at: .distantPast) == 0)
    }

    @Test func `no description shows the secret`() {
        let passcode = TimeBasedPasscode(secret: Array("c4n4ry".utf8))
        var text = "\(passcode) \(String(reflecting: passcode))"
        dump(passcode, to: &text)
        #expect(text.contains("redacted"))
        #expect(!text.contains("99"))
    }
}
