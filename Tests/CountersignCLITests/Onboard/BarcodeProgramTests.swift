import Foundation
import TestTurns
import Testing

@testable import CountersignCLI

/// The real decoder, if it is installed.
@Suite(.takesTurns, .timeLimit(.minutes(10))) struct BarcodeProgramTests {
    /// Whether the decoder is installed. In CI the test also runs, and fails, without it.
    private static var isInstalled: Bool {
        if ProcessInfo.processInfo.environment["CI"] != nil { return true }
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/zbarimg") }
    }

    /// A QR code of `{"host":"app.example"}`, made by `qrencode`.
    private static let picture = """
        iVBORw0KGgoAAAANSUhEUgAAAIQAAACEAQMAAABrihHkAAAABlBMVEUAAAD///+l2Z/dAAAAAnRSTlP//8i138cAAAAJcEhZcwAA\
        CxIAAAsSAdLdfvwAAADKSURBVEiJ7ZTRDcQwCEO9gfff0htwmOZOl/4F+lkUqeRFsgI1QdwDL9kJAAq6kgGhlxisZEDAVE7mZEgI\
        PUOIGJNcVehW+zlxwyu2f3FOHLLm5o1zkk2HUnYdt4mc0AecEdcotx7igBCll93XUu4R77LleUct5R6hFZfJY0LkEu1wfp3ZJIra\
        UIgJSUPC/qxB6ZOI6ymx9IRck4IaOQ4I65IB/hzeJK5QaXTw+9L2CevVfoB4VBQjYl/GvWPnpDqfs5vfEbnFS/7jA6A3rxD2DN0u\
        AAAAAElFTkSuQmCC
        """

    @Test(.enabled(if: isInstalled, "there is no zbarimg here; install it, such as the package zbar-tools"))
    func `zbarimg reads the QR code of a picture`() async throws {
        let picture = try #require(Data(base64Encoded: Self.picture))
        #expect(try await BarcodeProgram().read(picture, name: "'code.png'") == [#"{"host":"app.example"}"#])
        let broken = await #expect(throws: CommandProblem.self) {
            try await BarcodeProgram().read(picture.prefix(60), name: "'code.png'")
        }
        #expect(broken?.description == "The decoder cannot read 'code.png'.")
    }

    @Test func `a missing program is reported with how to install it`() async throws {
        let error = await #expect(throws: CommandProblem.self) {
            try await BarcodeProgram(path: "/nowhere").read(Data(), name: "'code.png'")
        }
        #expect(error?.remedy?.contains("apt-get install zbar-tools") == true)
        #expect(error?.exit == CommandExit.noInput)
    }
}
