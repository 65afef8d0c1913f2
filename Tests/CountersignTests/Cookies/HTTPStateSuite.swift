import Foundation

/// The test data of the IETF http-state working group, which is kept outside the repository.
enum HTTPStateSuite {
    /// One case: the cookies that a server sets, and those that are sent back.
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

    /// One case: a date as a server writes it, and in the form of RFC 9110; `nil` if it is invalid.
    struct DateCase: Decodable {
        let test: String
        let expected: String?
    }

    static let whereToPutIt =
        "the http-state suite is missing: put its parser.json, dates.json and dates-bsd.json into $COUNTERSIGN_SUITES/http-state "
        + "or ../shared/suites/http-state beside the checkout"

    /// The folder of the suite; `nil` if it is missing. The tests are then skipped, with a message that names the missing files.
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

    /// Whether the tests run. In CI they run without the suite, too, and fail.
    static let isExpected = folder != nil || ProcessInfo.processInfo.environment["CI"] != nil

    static func cookieCases(in folder: URL) throws -> [CookieCase] {
        try JSONDecoder().decode([CookieCase].self, from: Data(contentsOf: folder.appendingPathComponent("parser.json")))
    }

    static func dateCases(in folder: URL) throws -> [DateCase] {
        try ["dates.json", "dates-bsd.json"].flatMap { name in
            // The second file begins with its licence in comment lines, which are not JSON.
            let lines = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).split(separator: "\n")
            let json = lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
            return try JSONDecoder().decode([DateCase].self, from: Data(json.utf8))
        }
    }
}
