import TestTurns
import Testing

@testable import CountersignBrowser

/// The encoder against the values that the standard publishes.
@Suite(.takesTurns) struct `QR code` {
    // ISO/IEC 18004, table 7, byte mode.
    private static let lowCapacities = [
        17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858, 929, 1003, 1091, 1171, 1273,
        1367,
        1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699, 2809, 2953,
    ]
    private static let mediumCapacities = [
        14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711, 779, 857, 911, 997,
        1059, 1125,
        1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213, 2331,
    ]

    @Test func `each version holds as many bytes as the standard's table says`() {
        #expect(QRVersion.all.map { $0.capacity(.low) } == Self.lowCapacities)
        #expect(QRVersion.all.map { $0.capacity(.medium) } == Self.mediumCapacities)
    }

    // Annex E.
    @Test(arguments: [
        (1, []), (2, [6, 18]), (7, [6, 22, 38]), (14, [6, 26, 46, 66]), (15, [6, 26, 48, 70]), (22, [6, 26, 50, 74, 98]),
        (32, [6, 34, 60, 86, 112, 138]), (36, [6, 24, 50, 76, 102, 128, 154]), (39, [6, 26, 54, 82, 110, 138, 166]),
        (40, [6, 30, 58, 86, 114, 142, 170]),
    ])
    func `alignment patterns are where the standard's table has them`(number: Int, centres: [Int]) {
        #expect(QRVersion(number: number).alignmentCentres == centres)
    }

    // Annex C's example, and table C.1.
    @Test func `the format information is the published one`() {
        #expect(QRMatrix.formatInformation(.medium, mask: 5) == 0b100_0000_1100_1110)
        #expect(QRMatrix.formatInformation(.low, mask: 0) == 0x77C4)
        #expect(QRMatrix.formatInformation(.low, mask: 7) == 0x6976)
        #expect(QRMatrix.formatInformation(.medium, mask: 0) == 0x5412)
    }

    // Annex D's example, and table D.1.
    @Test func `the version information is the published one`() {
        #expect(QRMatrix.versionInformation(7) == 0x07C94)
        #expect(QRMatrix.versionInformation(8) == 0x085BC)
        #expect(QRMatrix.versionInformation(21) == 0x15683)
        #expect(QRMatrix.versionInformation(40) == 0x28C69)
    }

    // Annex I: "01234567" in version 1-M.
    @Test func `the error correction is that of the standard's example`() {
        let data: [UInt8] = [0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11]
        let correction: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(ReedSolomon.remainder(of: data, by: ReedSolomon.generator(degree: 10)) == correction)
    }

    // Annex A: x⁷ + α⁸⁷x⁶ + α²²⁹x⁵ + α¹⁴⁶x⁴ + α¹⁴⁹x³ + α²³⁸x² + α¹⁰²x + α²¹.
    @Test func `the generator polynomial is that of the standard's table`() {
        #expect(ReedSolomon.generator(degree: 7) == [127, 122, 154, 164, 11, 68, 117])
    }

    @Test func `a text is preceded by its mode and length, and followed by padding`() {
        let words = QRCodewords(Array("ab".utf8), version: QRVersion(number: 1), level: .medium)
        #expect(words.data == [0x40, 0x26, 0x16, 0x20, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11])
        let long = QRCodewords(Array(repeating: 0xFF, count: 271), version: QRVersion(number: 10), level: .low)
        #expect(long.data.prefix(3) == [0x40, 0x10, 0xFF] && long.data.last == 0xF0)
    }

    @Test func `the smallest version is taken, and the better correction where it costs nothing`() throws {
        for (count, version, level) in [
            (1, 1, QRCorrectionLevel.medium), (14, 1, .medium), (15, 1, .low), (17, 1, .low), (18, 2, .medium), (271, 10, .low),
        ] {
            let code = try #require(QRCode(Array(repeating: 0x61, count: count)))
            #expect(code.version.number == version && code.level == level, "\(count)")
            #expect(code.modules.size == 17 + 4 * version)
        }
    }

    @Test func `more than the largest version holds is no code`() {
        #expect(QRCode(Array(repeating: 0x61, count: 2954)) == nil)
    }

    @Test func `the best mask is taken`() throws {
        let bytes = Array("https://login.example/authorize?client_id=app".utf8)
        let code = try #require(QRCode(bytes))
        let penalties = try (0..<8).map {
            try #require(QRCode(bytes, version: code.version, level: code.level, mask: $0)).modules.penalty
        }
        #expect(penalties[code.mask] == penalties.min())
        #expect(Set(penalties).count > 1)
    }

    @Test func `a code is lines of half blocks with a light border`() throws {
        let code = try #require(QRCode(Array("a".utf8)))
        let lines = code.lines(usesColor: false)
        #expect(code.columns == 29)
        #expect(lines.count == 15)
        #expect(lines.allSatisfy { $0.count == 29 && $0.allSatisfy { " ▀▄█".contains($0) } })
        // Without colours the light modules are the blocks.
        #expect(lines[0] == String(repeating: "█", count: 29) && lines[1] == lines[0])
        let colored = code.lines(usesColor: true)
        #expect(colored[0] == "\u{1B}[38;5;16;48;5;231m\(String(repeating: " ", count: 29))\u{1B}[0m")
    }
}
