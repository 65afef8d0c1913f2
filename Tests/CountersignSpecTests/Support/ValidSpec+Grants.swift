import Foundation
import Testing

extension ValidSpec {
    /// A method with grants, without a mistake: `Tests/Specs/Grants/Token.yaml`, which is also a golden.
    static let grants: String = {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        do {
            return try String(contentsOf: tests.appending(path: "Specs/Grants/Token.yaml"), encoding: .utf8)
        } catch {
            Issue.record("the spec of the grants cannot be read: \(error)")
            return ""
        }
    }()
}
