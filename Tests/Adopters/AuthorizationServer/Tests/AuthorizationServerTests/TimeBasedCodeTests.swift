import Foundation
import Testing

struct TimeBasedCodeTests {
    private static let secret = Array("12345678901234567890".utf8)

    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
        (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `codes are those of RFC 6238, appendix B`(seconds: Int, code: String) {
        let counter = TimeBasedCode.counter(at: Date(timeIntervalSince1970: Double(seconds)))
        #expect(TimeBasedCode(secret: Self.secret, digits: 8).code(counter) == code)
    }

    @Test(
        arguments: [
            (0, "755224"), (1, "287082"), (2, "359152"), (3, "969429"), (4, "338314"), (5, "254676"), (6, "287922"), (7, "162583"),
            (8, "399871"), (9, "520489"),
        ] as [(UInt64, String)])
    func `codes are those of RFC 4226, appendix D`(counter: UInt64, code: String) {
        #expect(TimeBasedCode(secret: Self.secret).code(counter) == code)
    }
}
