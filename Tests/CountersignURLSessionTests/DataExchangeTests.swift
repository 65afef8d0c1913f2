import Countersign
import Foundation
import HTTPTypes
import TestTurns
import Testing

@testable import CountersignURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.computes) struct DataExchangeTests {
    @Test func `a time limit that is over when the head has arrived does not end the response`() throws {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "server.example", path: "/")
        let target = try RequestTarget(request)
        let response = try #require(
            HTTPURLResponse(url: target.url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: [:]))

        let answered = DataExchange(target: target, method: .get, upload: nil)
        answered.receive(response)
        answered.expire()
        #expect(!answered.hasEnded)

        let silent = DataExchange(target: target, method: .get, upload: nil)
        silent.expire()
        #expect(silent.hasEnded)
    }

    @Test func `the end of a task that nobody has cancelled is no cancellation`() {
        let error = TransportError.describe(URLError(.cancelled), hasHead: false, isEncrypted: true) as? TransportError
        #expect(error?.reason == .connectionLost)
        #expect(error?.requestMayHaveBeenProcessed == true)
    }
}
