import Countersign
import Foundation
import Testing

@testable import CountersignWebKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct `Requests of a web view` {
    @Test func `a form is the body of a POST`() throws {
        let url = try #require(URL(string: "https://login.example/logout?tenant=1"))
        let request = URLRequest(
            posting: PageForm(url: url, fields: [.init(name: "state", value: "a&b c"), .init(name: "hint", value: "t")]))
        #expect(request.url == url && request.httpMethod == "POST")
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.httpBody.map { String(decoding: $0, as: UTF8.self) } == "state=a%26b+c&hint=t")
    }
}
