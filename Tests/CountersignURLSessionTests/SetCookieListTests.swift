@testable import CountersignURLSession
import TestTurns
import Testing

@Suite(.computes) struct SetCookieListTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", "b=2"]),
        ("a=1,b=2", ["a=1", "b=2"]),
        ("a=; Path=/, b=2; Secure", ["a=; Path=/", "b=2; Secure"]),
        (
            "a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT, b=2; expires=Thu, 01-Jan-1970 00:00:00 GMT; HttpOnly, c=3",
            ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT", "b=2; expires=Thu, 01-Jan-1970 00:00:00 GMT; HttpOnly", "c=3"]
        ),
        ("a=1, two, b=2", ["a=1, two", "b=2"]),
        ("a=1, , b=2", ["a=1,", "b=2"]),
        ("a=1,", ["a=1,"]),
        ("__Host-a=x=y==, b=z", ["__Host-a=x=y==", "b=z"]),
        ("", []),
    ])
    func `joined cookies are separated, and dates are not`(joined: String, parts: [String]) {
        #expect(SetCookieList.parts(of: joined) == parts)
    }
}
