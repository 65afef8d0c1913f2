import Countersign
import CountersignBrowser
import Foundation

/// The other program in the tests of a browser whose program is killed, or whose disk is full.
///
/// `ChromiumContender <folder> <page> <finish> [browser]` shows a page until the login has ended, with a folder for temporary
/// files, and prints the result. The folder is not set in the initial environment, because the thread sanitizer would put a file
/// there.
@main enum ChromiumContender {
    static func main() async {
        #if os(macOS) || os(Linux)
        setenv("TMPDIR", CommandLine.arguments.dropFirst().first ?? "", 1)
        let arguments = CommandLine.arguments.dropFirst(2)
        let urls = arguments.prefix(2).compactMap { URL(string: $0) }
        guard urls.count == 2 else { exit(64) }
        let presenter = ChromiumPresenter(ChromiumConfiguration(executable: arguments.dropFirst(2).first, isHeadless: true))
        let presentation = WebPresentation(
            authenticationMethod: "Test", url: urls[0], finish: FinishRule(urls[1], match: .path), jar: CookieJar(),
            transport: NoTransport())
        do {
            _ = try await presenter.present(presentation)
            print("finished")
        } catch PresentationFailure.load(let error) {
            print(error)
        } catch {
            print("failed: \(error)")
        }
        #endif
    }
}

private struct NoTransport: HTTPTransport {
    func send(_ request: SessionRequest) async throws -> SessionResponse { throw CancellationError() }
    func shutdown() async throws {}
}
