#if os(macOS) || os(Linux)
import Foundation
import TestTurns
import Testing

@testable import CountersignBrowser

/// Codes as read by a third-party program.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct `QR code reader` {
    private static let program = Launchers(environment: [
        "BROWSER": "zbarimg", "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "",
    ]).programs().first { $0.hasSuffix("/zbarimg") }

    /// Returns a text of the given length in bytes, with the characters of a URL.
    private static func text(_ count: Int) -> String {
        let sample = "https://login.example/authorize?response_type=code&state=4f2a&code_challenge=Z-9_.~"
        return String(String(repeating: sample, count: count / sample.count + 1).prefix(count))
    }

    /// Draws a code as a terminal shows it, from its lines without colours.
    private static func picture(of lines: [String], scale: Int = 3) -> Data {
        var rows: [[Bool]] = []
        for line in lines {
            rows.append(line.map { $0 == "█" || $0 == "▀" })
            rows.append(line.map { $0 == "█" || $0 == "▄" })
        }
        let width = rows[0].count * scale
        var data = Data("P5 \(width) \(rows.count * scale) 255\n".utf8)
        for row in rows {
            let pixels = row.flatMap { Array(repeating: $0 ? UInt8(255) : 0, count: scale) }
            for _ in 0..<scale { data.append(contentsOf: pixels) }
        }
        return data
    }

    /// Returns the reader's text of each code, in the same order.
    private static func read(_ codes: [QRCode]) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "countersign codes \(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = try codes.enumerated().map { number, code in
            let file = folder.appending(path: "\(number).pgm")
            try picture(of: code.lines(usesColor: false)).write(to: file)
            return file.path(percentEncoded: false)
        }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: try #require(program))
        process.arguments = ["--quiet", "--raw", "-Sdisable", "-Sqrcode.enable"] + files
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = try #require(String(data: output.fileHandleForReading.readDataToEndOfFile(), encoding: .utf8))
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init)
    }

    @Test(
        .enabled(if: program != nil, "there is no zbarimg here; install it, such as the package zbar-tools"),
        arguments: [Array(1...60), Array(stride(from: 61, through: 700, by: 13)), [229, 230, 231, 271, 272, 858, 1171, 2953]])
    func `every length is read as it was written`(lengths: [Int]) throws {
        let texts = lengths.map(Self.text)
        let codes = try texts.map { try #require(QRCode(Array($0.utf8))) }
        #expect(try Self.read(codes) == texts)
    }

    @Test(
        .enabled(if: program != nil, "there is no zbarimg here; install it, such as the package zbar-tools"),
        arguments: [QRCorrectionLevel.low, .medium])
    func `every version is read at the edge of its capacity`(level: QRCorrectionLevel) throws {
        let versions = stride(from: 1, through: 40, by: 3).map { QRVersion(number: $0) }
        let texts = versions.map { Self.text($0.capacity(level)) }
        let codes = try zip(texts, versions).map { text, version in
            try #require(QRCode(Array(text.utf8), version: version, level: level, mask: version.number % 8))
        }
        #expect(try Self.read(codes) == texts)
    }

    @Test(.enabled(if: program != nil, "there is no zbarimg here; install it, such as the package zbar-tools"))
    func `every mask is read`() throws {
        let text = Self.text(120)
        let codes = try (0..<8).map { mask in
            try #require(QRCode(Array(text.utf8), version: QRVersion(number: 7), level: .medium, mask: mask))
        }
        #expect(try Self.read(codes) == Array(repeating: text, count: 8))
    }
}
#endif
