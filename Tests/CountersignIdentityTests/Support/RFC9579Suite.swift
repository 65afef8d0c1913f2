import Foundation

/// The archives of RFC 9579, appendix A, which are kept outside the repository: base64, named `rfc9579-a1.txt` and so on.
enum RFC9579Suite {
    static let whereToPutIt =
        "the archives of RFC 9579, appendix A, are missing: put rfc9579-a1.txt to rfc9579-a6.txt, in base64, into "
        + "$COUNTERSIGN_SUITES/pkcs12 or ../shared/suites/pkcs12 beside the checkout"

    static let folder: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let suites = ProcessInfo.processInfo.environment["COUNTERSIGN_SUITES"].map { [URL(filePath: $0)] } ?? []
        let folders = (suites + [package.deletingLastPathComponent().appending(path: "shared/suites")]).map {
            $0.appending(path: "pkcs12")
        }
        let folder = folders.first { FileManager.default.fileExists(atPath: $0.appending(path: "rfc9579-a1.txt").path) }
        if folder == nil { print(whereToPutIt) }
        return folder
    }()
}
