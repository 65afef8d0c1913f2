import MellonServiceProvider
import Synchronization

/// Counts the login pages.
final class CountingPresenter: WebPresenter {
    private let base: any WebPresenter
    private let opened = Mutex(0)

    init(_ base: any WebPresenter) { self.base = base }

    var count: Int { opened.withLock { $0 } }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        opened.withLock { $0 += 1 }
        return try await base.present(presentation)
    }
}
