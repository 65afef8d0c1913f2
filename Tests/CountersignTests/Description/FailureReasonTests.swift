import Testing

@_spi(Generated) @testable import Countersign

/// The errors of others that a method's error quotes.
@Suite struct `The failure reason of an error` {
    private struct Private: Error, CustomStringConvertible {
        let description = "c4n4ry"
    }

    private struct Shown: SecretFreeError {
        let description = "there is no browser here"
    }

    @Test func `what holds no secret is quoted, and of others nothing is shown`() {
        let reason = "The page could not be shown."
        func text(_ error: any Error) -> String? {
            GeneratedCodeVersion3.failureReason(reason, error: PresentationFailure.load(error))
        }
        #expect(text(Shown()) == "The page could not be shown. There is no browser here.")
        #expect(text(Private()) == "The page could not be shown. A page could not be loaded.")
    }

    @Test func `a transport says where and what`() throws {
        let transport = TransportError(
            .proxy(status: 407), detail: "the HTTP proxy 127.0.0.1:8080 wants a credential", requestMayHaveBeenProcessed: false)
        let text = try #require(GeneratedCodeVersion3.failureReason(nil, error: RequestFailure.network(transport)))
        #expect(text.contains("the HTTP proxy 127.0.0.1:8080 wants a credential"), "\(text)")
    }
}
