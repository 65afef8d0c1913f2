import Foundation
import HTTPTypes
import Testing

@testable import Countersign

@Suite(.timeLimit(.minutes(10))) struct `Server pins` {
    // RFC 7469, section 2.1.5
    private let base64 = "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM="
    private let digits = "77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a63"

    @Test func `a pin is read in every form that settings have`() throws {
        let pin = try #require(PublicKeyPin(base64))
        for text in [
            "sha256/" + base64, "sha256:" + base64, "SHA256/" + base64, "pin-sha256=" + base64, "pin-sha256=\"\(base64)\"",
            "PIN-SHA256=" + base64, digits, digits.uppercased(),
        ] { #expect(PublicKeyPin(text) == pin, "\(text)") }
        #expect(pin.sha256.count == 32)
        #expect(pin.description == "sha256/" + base64)
        #expect(PublicKeyPin(pin.description) == pin)
    }

    @Test(arguments: [
        "", "sha256/", "sha1/d6qzRu9zOECb90Uez27xWltNsj0=", "d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWm", "sha256/%%%",
        "sha256/sha256/", "pin-sha256=", "pin-sha256=\"", "pin-sha256=\"\"",
        "77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a6",
        "77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a6x",
        "77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a6300",
        "sha256/77aab346ef7338409bf7451ecf6ef15a5b4db23d1ed4c77b1a4618915a195a63",
        "\"d6qzRu9zOECb90Uez27xWltNsj0e1Md7GkYYkVoZWmM=\"",
    ])
    func `what is no SHA-256 is no pin, and says which`(text: String) {
        #expect(PublicKeyPin(text) == nil)
        let error = #expect(throws: ServerPinError.self) { try ServerPins([base64, text]) }
        #expect(error?.position == 2)
        #expect(error?.description.contains("string 2") == true)
        #expect(error?.recoverySuggestion != nil)
    }

    @Test func `no texts are an error, so that no request is sent without pins by mistake`() {
        let error = #expect(throws: ServerPinError.self) { try ServerPins([String]()) }
        #expect(error?.position == nil)
        #expect(error?.description == "the list of the server's pins is empty [server-pin]")
        #expect(ServerPins(Set<PublicKeyPin>()) == nil)
    }

    @Test func `pins are equal whatever their form and order`() throws {
        let other = Data(repeating: 7, count: 32).base64EncodedString()
        let pins = try ServerPins([base64, other])
        #expect(try ServerPins([other, "sha256/" + base64, digits]) == pins)
        #expect(pins.pins.count == 2)
        #expect(pins.contains(try #require(PublicKeyPin(other))))
        #expect(!pins.contains(PublicKeyPin(subjectPublicKeyInfo: [])))
        #expect(pins.description.split(separator: ", ").count == 2)
    }

    @Test func `a key's pin is the SHA-256 of its bytes`() {
        // FIPS 180-4's example for "abc"
        let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(PublicKeyPin(subjectPublicKeyInfo: Array("abc".utf8)) == PublicKeyPin(hash))
    }

    @Test(arguments: ["/b", "https://other.example/b"])
    func `pins stay on a request through its redirects`(location: String) async throws {
        let transport = ScriptedTransport { sent in sent.number == 1 ? .redirect(to: location) : .text("target") }
        var request = try SessionRequest.to("https://app.example/a")
        let pins = try ServerPins([base64])
        request.pins = pins
        _ = try await Session(configuration: .test(), transport: transport).send(request)
        #expect(transport.sent.map(\.request.pins) == [pins, pins])
    }

    @Test func `a request without pins gets none, and a mismatch is not tried again`() async throws {
        let transport = ScriptedTransport { _ in
            throw TransportError(.pinMismatch, detail: "another key", requestMayHaveBeenProcessed: false)
        }
        let session = Session(configuration: .test(), transport: transport)
        let error = await #expect(throws: TransportError.self) { try await session.send(.to("https://app.example/a")) }
        #expect(error?.description == "GET https://app.example: another key [transport.pin-mismatch]")
        #expect(error?.recoverySuggestion?.contains("pins") == true)
        #expect(transport.sent.map(\.request.pins) == [nil])
    }
}
