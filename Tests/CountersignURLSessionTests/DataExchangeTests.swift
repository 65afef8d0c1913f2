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

    #if !canImport(Security)
    @Test(
        arguments: [
            ("Failed to connect to header.example port 443 after 3 ms: No route to host", .connect, false),
            ("Failed to connect to certificate.example port 443 after 3 ms: Couldn't connect to server", .connect, false),
            ("Could not resolve proxy: reader.example", .nameResolution, false),
            ("SSL: no alternative certificate subject name matches target host name 'reader.example'", .tls, true),
            ("Too large response headers: 310000 > 307200", .malformed, true), ("Header without colon", .malformed, true),
            ("Invalid Content-Length: value", .malformed, true),
        ] as [(String, TransportError.Reason, Bool)])
    func `an error without a code has its reason, whatever the server's name is`(
        text: String, reason: TransportError.Reason, mayHaveBeenProcessed: Bool
    ) {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        let described = TransportError.describe(error, hasHead: false, isEncrypted: true) as? TransportError
        #expect(described?.reason == reason)
        #expect(described?.requestMayHaveBeenProcessed == mayHaveBeenProcessed)
    }
    #endif
}
