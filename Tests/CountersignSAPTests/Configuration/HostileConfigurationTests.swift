import CountersignSAP
import Foundation
import Testing

/// A malformed configuration causes an error that names the key and the source, within limits, and quotes nothing.
@Suite(.timeLimit(.minutes(10))) struct HostileConfigurationTests {
    private func refusal(of text: String) -> ConfigurationError? {
        #expect(throws: ConfigurationError.self) { try DiscoveryConfiguration(data: Data(text.utf8), source: "a scan") }
    }

    private static func clients(_ entry: String) -> String {
        #"{"auth":[{"type":"oauth2","config":{"oauth2.clients":[\#(entry)]}}]}"#
    }

    @Test(arguments: [
        ("[1]", "the top"), ("7", "not JSON"), ("", "not JSON"), ("{", "not JSON"), (#"{"auth":{}}"#, "'auth'"),
        (#"{"auth":["x"]}"#, "'auth[0]'"), (#"{"auth":[{"type":1}]}"#, "'auth[0].type'"),
        (#"{"auth":[{"type":"a"},{"type":"a"}]}"#, "'auth[1].type'"), (#"{"auth":[{"config":[]}]}"#, "'auth[0].config'"),
        (#"{"auth":[{"type":"oauth2","config":{"oauth2.tokenEndpoint":{"c4n4ry":1}}}]}"#, "'oauth2.tokenEndpoint'"),
        (#"{"oauth2.clientID":["c4n4ry"]}"#, "'oauth2.clientID'"), (#"{"Application Identifier":{}}"#, "'Application Identifier'"),
        (#"{"auth":[{"config":{"saml2.web.post.finish.endpoint.uri":[]}}]}"#, "'saml2.web.post.finish.endpoint.uri'"),
        (#"{"auth":[{"config":{"oauth2.clients":{}}}]}"#, "'oauth2.clients'"), (clients("7"), "'oauth2.clients[0]'"),
        (clients(#"{"clientID":7,"grantType":"password"}"#), "'oauth2.clients[0].clientID'"),
        (clients(#"{"clientID":"a","grantType":"password","passcode":["c4n4ry"]}"#), "'oauth2.clients[0].passcode'"),
        (clients(#"{"clientID":"a","grantType":"password","passcode":""}"#), "'oauth2.clients[0].passcode'"),
        (clients(#"{"clientID":"a","grantType":"password","clientSecret":{"c4n4ry":2}}"#), "'oauth2.clients[0].clientSecret'"),
        (#"{"host":"a.example/c4n4ry"}"#, "'host'"), (#"{"host":"a.example","port":"c4n4ry"}"#, "'port'"),
        (#"{"host":"a.example","protocol":"c4n4ry"}"#, "'protocol'"),
    ])
    func `a wrong shape is named by its key`(text: String, key: String) throws {
        let error = try #require(refusal(of: text))
        guard case .invalidStructure(let detail, "a scan") = error else {
            Issue.record("\(error)")
            return
        }
        #expect(detail.contains(key))
        #expect(!everything(of: error).contains("c4n4ry"))
        #expect(detail.count < 200)
    }

    @Test func `a client without an identifier is a missing key`() {
        #expect(
            refusal(of: Self.clients(#"{"grantType":"password"}"#)) == .missingKey("oauth2.clients[0].clientID", source: "a scan"))
        #expect(
            refusal(of: Self.clients(#"{"clientID":"a","grantType":"x"},{"redirectURL":"a"}"#))
                == .missingKey("oauth2.clients[1].clientID", source: "a scan"))
    }

    @Test func `a passcode has a limit`() {
        let long = String(repeating: "a", count: 1025)
        let error = refusal(of: Self.clients(#"{"clientID":"a","grantType":"password","passcode":"\#(long)"}"#))
        #expect(error?.failureReason?.contains("passcode") == true)
        #expect((error?.failureReason?.count ?? .max) < 200)
    }

    @Test(arguments: [33, 600, 200_000])
    func `deep nesting ends in an error`(depth: Int) {
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(refusal(of: #"{"host":"a.example","x":\#(value)}"#)?.code == "invalidStructure")
        let array = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        #expect(refusal(of: #"<plist version="1.0"><dict><key>x</key>\#(array)</dict></plist>"#)?.code == "invalidStructure")
    }

    @Test func `ten megabytes and ten thousand values end in an error`() {
        let long = #"{"host":"a.example","x":"\#(String(repeating: "c4n4ry", count: 1_700_000))"}"#
        let tooLong = refusal(of: long)
        #expect(tooLong?.failureReason?.contains("more than 1048576 bytes") == true)
        let many = #"{"host":"a.example","x":[\#(Array(repeating: "1", count: 20_000).joined(separator: ","))]}"#
        #expect(refusal(of: many)?.failureReason?.contains("more than 10000 values") == true)
    }

    /// Makes a binary property list of lists, each given by the indices of the lists in it.
    private func propertyList(_ lists: [[UInt8]]) -> Data {
        var data = Data("bplist00".utf8)
        var offsets: [UInt16] = []
        for list in lists {
            offsets.append(UInt16(data.count))
            data.append(0xA0 | UInt8(list.count))
            data.append(contentsOf: list)
        }
        let table = UInt64(data.count)
        for offset in offsets { withUnsafeBytes(of: offset.bigEndian) { data.append(contentsOf: $0) } }
        data.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
        for value in [UInt64(lists.count), 0, table] { withUnsafeBytes(of: value.bigEndian) { data.append(contentsOf: $0) } }
        return data
    }

    @Test func `a binary property list that multiplies, contains itself or points outside ends in an error`() {
        // 30 lists that each contain the next one ten times: a file of a kilobyte that would have 10^30 values.
        let many = (0..<30).map { level in level == 29 ? [] : Array(repeating: UInt8(level + 1), count: 10) }
        for lists in [many, [[1], [0]], [[7]], (0..<40).map { $0 == 39 ? [] : [UInt8($0 + 1)] }] {
            let data = propertyList(lists)
            let error = #expect(throws: ConfigurationError.self) { try DiscoveryConfiguration(data: data) }
            #expect(error?.failureReason?.contains("repeats values too often") == true)
        }
        // Four lists of three each are accepted, but are not a configuration.
        let small = propertyList([[1, 1, 1], [2, 2, 2], [3, 3, 3], []])
        let error = #expect(throws: ConfigurationError.self) { try DiscoveryConfiguration(data: small) }
        #expect(error?.failureReason?.contains("the top level is not a dictionary") == true)
        for length in 0..<small.count {
            #expect(throws: ConfigurationError.self) { try DiscoveryConfiguration(data: small.prefix(length)) }
        }
    }
}
