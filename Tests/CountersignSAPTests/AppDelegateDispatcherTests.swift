import CountersignSAP
import Foundation
import Synchronization
import Testing

@Suite(.serialized) struct AppDelegateDispatcherTests {
    /// An observer that accepts URLs of one scheme, and records them.
    private final class Observer: AppDelegateObserving {
        private let scheme: String
        private let seen = Mutex<[OpenURLOptions]>([])
        var options: [OpenURLOptions] { seen.withLock { $0 } }

        init(_ scheme: String) { self.scheme = scheme }

        func application(open url: URL, options: OpenURLOptions) -> Bool {
            seen.withLock { $0.append(options) }
            return url.scheme == scheme
        }
    }

    /// An observer that does not handle URLs.
    private final class Indifferent: AppDelegateObserving {}

    private let url = URL(string: "com.example.dispatcher://callback")

    @Test func `M31 the first registered observer that takes a URL gets it`() throws {
        let url = try #require(url)
        let other = Observer("other")
        let first = Observer("com.example.dispatcher")
        let second = Observer("com.example.dispatcher")
        let indifferent = Indifferent()
        for observer in [indifferent, other, first, first, second] as [any AppDelegateObserving] {
            AppDelegateDispatcher.register(observer)
        }
        let options = OpenURLOptions(sourceApplication: "com.example.source")
        #expect(AppDelegateDispatcher.application(open: url, options: options))
        #expect(first.options == [options])
        #expect(other.options == [options])
        #expect(second.options.isEmpty)
        AppDelegateDispatcher.unregister(first)
        #expect(AppDelegateDispatcher.application(open: url))
        #expect(second.options == [OpenURLOptions()])
        AppDelegateDispatcher.unregister(second)
        AppDelegateDispatcher.unregister(second)
        #expect(!AppDelegateDispatcher.application(open: url))
        #expect(first.options == [options])
        AppDelegateDispatcher.unregister(other)
        AppDelegateDispatcher.unregister(indifferent)
    }

    @Test func `observers are not kept alive`() throws {
        let url = try #require(url)
        weak var kept: Observer?
        do {
            let observer = Observer("com.example.dispatcher")
            AppDelegateDispatcher.register(observer)
            kept = observer
            #expect(AppDelegateDispatcher.application(open: url))
        }
        #expect(kept == nil)
        #expect(!AppDelegateDispatcher.application(open: url))
    }

    @Test func `a scene says which URLs were taken`() throws {
        let url = try #require(url)
        let other = try #require(URL(string: "com.example.other://callback"))
        let observer = Observer("com.example.dispatcher")
        AppDelegateDispatcher.register(observer)
        #expect(SceneDelegateDispatcher.scene(openURLs: [(other, OpenURLOptions()), (url, OpenURLOptions())]) == [url])
        AppDelegateDispatcher.unregister(observer)
    }
}
