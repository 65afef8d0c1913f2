import TestTurns
import Testing

@testable import CountersignTesting

@Suite("Filling a form in", .takesTurns)
struct FormFillerTests {
    private func fill(
        _ html: String, method: String = "post", values: [String: String] = [:], user: String? = nil, password: String? = nil
    ) throws -> FormFiller.Filling {
        let form = try #require(HTMLPage("<form method=\(method)>\(html)</form>").forms.first)
        return FormFiller(values: values, user: user, password: password).fill(form)
    }

    @Test func `user and password find the first fields of their kind`() throws {
        let html =
            "<input type=hidden name=h value=1><input type=search name=q><input name=u value=old><input name=v><input type=password name=p>"
        let filling = try fill(html, user: "alice", password: "secret")
        #expect(FormURLEncoding.encode(filling.pairs) == "h=1&q=&u=alice&v=&p=secret")
        #expect(filling.missing.isEmpty)
    }

    @Test func `a value by name counts more than the kind, and never goes into a hidden or fixed field`() throws {
        let html = "<input type=hidden name=h value=1><input name=r value=2 readonly><input name=u><input type=password name=p>"
        let filling = try fill(html, values: ["h": "x", "r": "x", "u": "bob", "p": "q"], user: "alice", password: "secret")
        #expect(FormURLEncoding.encode(filling.pairs) == "h=1&r=2&u=bob&p=q")
    }

    @Test func `a search is no place for a user's name`() throws {
        #expect(try !fill("<input name=q>", method: "get", user: "alice").isAnswer)
        #expect(try fill("<input name=u>", method: "post", user: "alice").isAnswer)
    }

    @Test func `a one-time passcode is no user's name`() throws {
        let filling = try fill("<input name=c autocomplete='section-a one-time-code' required>", user: "alice")
        #expect(!filling.isAnswer)
        #expect(filling.missing == ["c"])
    }

    @Test func `passwords and required fields without a value are missing, others stay empty`() throws {
        let html =
            "<input name=u><input name=o><input name=r required><textarea name=t required></textarea><input type=password name=p>"
        #expect(try fill(html, user: "alice").missing == ["r", "t", "p"])
    }

    @Test func `boxes and choices are sent as they stand, or as a value says`() throws {
        let html = """
            <input type=checkbox name=c checked><input type=checkbox name=d value=yes><input type=radio name=r value=1 checked>
            <input type=radio name=r value=2><select name=s><option>a<option selected>b</select><select name=m multiple><option>x</select>
            """
        #expect(try FormURLEncoding.encode(fill(html).pairs) == "c=on&r=1&s=b")
        let chosen = try fill(html, values: ["c": "", "d": "yes", "r": "2", "s": "a", "m": "x"])
        #expect(FormURLEncoding.encode(chosen.pairs) == "d=yes&r=2&s=a&m=x")
        #expect(try fill(html, values: ["r": "3", "s": "z"]).missing == ["r", "s"])
    }

    @Test func `a required choice that nothing is known for is missing once`() throws {
        #expect(try fill("<input type=radio name=r required><input type=radio name=r required>").missing == ["r"])
    }

    @Test func `the first button submits, unless a value names another one`() throws {
        let html = "<button name=a value=1></button><input type=submit name=a value=2><input type=image name=i><input type=submit>"
        #expect(try FormURLEncoding.encode(fill(html).pairs) == "a=1")
        #expect(try FormURLEncoding.encode(fill(html, values: ["a": "2"]).pairs) == "a=2")
        #expect(try FormURLEncoding.encode(fill("<input type=image name=i>").pairs) == "i.x=0&i.y=0")
    }

    @Test(arguments: [
        ("a b+c", "a+b%2Bc"), ("*-._~", "*-._%7E"), ("é€😀", "%C3%A9%E2%82%AC%F0%9F%98%80"), ("&=%", "%26%3D%25"),
        ("1\n2\r\n3\r4", "1%0D%0A2%0D%0A3%0D%0A4"), ("pässwörd", "p%C3%A4ssw%C3%B6rd"), ("", ""),
    ])
    func `text is encoded as the URL standard has it`(text: String, encoded: String) {
        #expect(FormURLEncoding.encode([("n", text)]) == "n=\(encoded)")
        #expect(FormURLEncoding.encode([(text, "v")]) == "\(encoded)=v")
    }
}
