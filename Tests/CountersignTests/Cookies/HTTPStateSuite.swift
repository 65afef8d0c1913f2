import Foundation

/// The test data of the IETF http-state working group, which is kept outside of the repository.
enum HTTPStateSuite {
    /// One case: what a server sets, and what comes back to it.
    struct CookieCase: Decodable {
        struct Pair: Decodable {
            let name: String
            let value: String
        }

        let test: String
        let received: [String]
        let sent: [Pair]
        let sentTo: String?

        enum CodingKeys: String, CodingKey {
            case test, received, sent
            case sentTo = "sent-to"
        }
    }

    /// One case: a date as a server writes it, and as RFC 9110 writes it, if it is one.
    struct DateCase: Decodable {
        let test: String
        let expected: String?
    }

    static let whereToPutIt =
        "the http-state suite is missing: put its parser.json, dates.json and dates-bsd.json into $COUNTERSIGN_SUITES/http-state "
        + "or ../shared/suites/http-state beside the checkout"

    /// Where the suite is, or `nil`; then the tests are skipped, with a line that says what is missing.
    static let folder: URL? = {
        let environment = ProcessInfo.processInfo.environment
        var candidates = environment["COUNTERSIGN_SUITES"].map { [URL(fileURLWithPath: $0)] } ?? []
        var parent = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        while parent.path != "/" {
            if FileManager.default.fileExists(atPath: parent.appendingPathComponent("Package.swift").path) {
                candidates.append(parent.deletingLastPathComponent().appendingPathComponent("shared/suites"))
                break
            }
            parent.deleteLastPathComponent()
        }
        let folders = candidates.map { $0.appendingPathComponent("http-state") }
        let folder = folders.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("parser.json").path) }
        if folder == nil { print(whereToPutIt) }
        return folder
    }()

    /// Whether the tests run: in CI they do without the suite too, and fail.
    static let isExpected = folder != nil || ProcessInfo.processInfo.environment["CI"] != nil

    static func cookieCases(in folder: URL) throws -> [CookieCase] {
        try JSONDecoder().decode([CookieCase].self, from: Data(contentsOf: folder.appendingPathComponent("parser.json")))
    }

    static func dateCases(in folder: URL) throws -> [DateCase] {
        try ["dates.json", "dates-bsd.json"].flatMap { name in
            // The second file begins with its licence in comment lines, which JSON does not know.
            let lines = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
            let json = lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
            return try JSONDecoder().decode([DateCase].self, from: Data(json.utf8))
        }
    }
}
