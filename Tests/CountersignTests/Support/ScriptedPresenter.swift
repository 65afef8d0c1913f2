import Foundation
import Synchronization

@testable import Countersign

/// A presenter whose user is a closure. It records the login pages.
final class ScriptedPresenter: WebPresenter {
    typealias Script = @Sendable (WebPresentation) async throws -> WebPresentationResult

    private let script: Script
    private let shown = Mutex<[WebPresentation]>([])

    init(_ script: @escaping Script) { self.script = script }

    /// The presentations that were requested.
    var presentations: [WebPresentation] { shown.withLock { $0 } }

    func present(_ presentation: WebPresentation) async throws -> WebPresentationResult {
        shown.withLock { $0.append(presentation) }
        return try await script(presentation)
    }
}
