import Countersign
import HTTPTypes
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The vectors of RFC 7617, section 2, and values that the scheme cannot carry.
@Suite struct BasicSchemeTests {
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
    ])
    func `RFC 7617 2 name and password in Base64`(user: String, password: String, value: String) throws {
        #expect(try BasicScheme.field(user: user, password: password).value == value)
    }

    @Test func `a store that goes by URLs tells realms apart by the fragment`() throws {
        let url = try #require(URL(string: "https://Example.com:8443/a?b#c"))
        let origin = try #require(Origin(url))
        #expect(CredentialPlace(origin: origin).url?.absoluteString == "https://example.com:8443/")
        #expect(
            CredentialPlace(origin: origin, realm: "A \"b\" #/?").url?.absoluteString
                == "https://example.com:8443/#A%20%22b%22%20%23%2F%3F")
    }
}
