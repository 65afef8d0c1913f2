import Foundation
import Testing

extension ValidSpec {
    /// A method with grants, without a mistake: `Tests/Specs/Grants/Token.yaml`, which is also a golden.
    static let grants = text("Grants/Token.yaml")
    /// A method whose page another application can move on, without a mistake, and also a golden.
    static let callback = text("Callbacks/Code.yaml")
    /// A method with a key of the application's, without a mistake, and also a golden.
    static let key = text("Credentials/Key.yaml")
    /// A method with a password of the application's, without a mistake, and also a golden.
    static let password = text("Credentials/Password.yaml")
    /// A method with a certificate of the application's.
    static let certificate = text("Credentials/Certificate.yaml")

    /// A service that certificates are obtained from, without a mistake, and also a golden.
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
