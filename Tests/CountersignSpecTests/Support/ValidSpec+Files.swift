import Foundation
import Testing

extension ValidSpec {
    /// A method with variants, without a mistake: `Tests/Specs/Grants/Token.yaml`, which is also a golden.
    static let variants = text("Grants/Token.yaml")
    /// A method whose page another application can navigate, without a mistake, and also a golden.
    static let callback = text("Callbacks/Code.yaml")
    /// A method whose observer asks for a key, without a mistake, and also a golden.
    static let key = text("Credentials/Key.yaml")
    /// A method whose observer asks for a password, without a mistake, and also a golden.
    static let password = text("Credentials/Password.yaml")
    /// A method whose observer asks for a certificate.
    static let certificate = text("Credentials/Certificate.yaml")

    /// A service that issues certificates, without a mistake, and also a golden.
    static let enrolment = text("Credentials/Enrolment.yaml")

    private static func text(_ path: String) -> String {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        do {
            return try String(contentsOf: tests.appending(path: "Specs/\(path)"), encoding: .utf8)
        } catch {
            Issue.record("the spec \(path) cannot be read: \(error)")
            return ""
        }
    }
}

extension String {
    /// The landscape without its groups of overlapping methods, for reading it with some of the methods.
    var withoutOverlaps: String {
        guard let start = firstRange(of: "\noverlaps:") else { return self }
        let rest = self[index(after: start.lowerBound)...]
        let following = rest.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().drop { $0.hasPrefix(" ") }
        return self[...start.lowerBound] + following.joined(separator: "\n")
    }
}
