#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A response as patterns look at it: its challenges, its body and its cookies are read once, and only if a pattern asks for them.
struct ResponseReading {
    var head: ChallengedHead
    private let body: [UInt8]?
    /// Whether `body` is all of it.
    private let isWhole: Bool
    /// Has the rules by which a response may set cookies; `nil` where none are set.
    private let rules: CookieJar?
    /// The query of the URL that a browser was sent back to, where the response is that redirect.
    let query: FormParameters
    private var readText: String?
    private var readTree: JSONTree??
    private var readDocument: XMLTree??
    private var readInputs: [String: String]?
    private var readCookies: [String: String]?

    /// - Parameters:
    ///   - body: The body or its beginning; `nil` where only the head is looked at.
    ///   - isWhole: Whether that is all of it.
    ///   - rules: A jar with the rules for its cookies.
    init(_ response: HTTPResponse, from url: URL, body: [UInt8]? = nil, isWhole: Bool = true, judgedBy rules: CookieJar) {
        self.init(ChallengedHead(response, from: url), body: body, isWhole: isWhole, judgedBy: rules)
    }

    private init(_ head: ChallengedHead, body: [UInt8]?, isWhole: Bool, judgedBy rules: CookieJar) {
        self.rules = rules
        query = FormParameters()
        self.head = head
        self.body = body
        self.isWhole = isWhole
    }

    /// The redirect by which a login page has sent the browser back.
    init(query: FormParameters, from page: URL) {
        self.query = query
        rules = nil
        head = ChallengedHead(HTTPResponse(status: .found), from: page)
        body = nil
        isWhole = true
    }

    /// A response to an exchange.
    init(_ response: HTTPResponse, in exchange: ExchangeContext) {
        let prefix = exchange.bodyPrefix
        self.init(
            ChallengedHead(response, from: exchange.address), body: prefix,
            isWhole: prefix.map { $0.count < ExchangeContext.bodyPrefixLimit } ?? false,
            judgedBy: exchange.session.cookies)
    }

    /// Whether the body goes on for as long as there are events.
    var isEventStream: Bool {
        head.response.headerFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
    }

    /// Whether the body is that of a form.
    var isForm: Bool {
        head.response.headerFields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    }

    /// The body as text, as far as it was read; `nil` if it was not.
    mutating func text() -> String? {
        readText = readText ?? body.map { String(decoding: $0, as: UTF8.self) }
        return readText
    }

    /// The body as text, or in base64 if it is other bytes; `nil` if it was not read.
    func whole() -> String? {
        body.map { bytes in
            // DER has a zero byte or one that is no UTF-8 soon enough.
            guard let text = String(validating: bytes, as: UTF8.self),
                text.utf8.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) })
            else { return Data(bytes).base64EncodedString() }
            return text
        }
    }

    /// The body as JSON; `nil` if it is none, or too long. That of a form is an object of texts.
    mutating func json() -> JSONTree? {
        if let readTree { return readTree }
        let tree = isWhole ? body.flatMap { isForm ? JSONTree(form: $0) : JSONTree($0) } : nil
        readTree = .some(tree)
        return tree
    }

    /// The body as XML; `nil` if it is none, or too long.
    mutating func xml() -> XMLTree? {
        if let readDocument { return readDocument }
        let document = isWhole ? body.flatMap { XMLTree($0) } : nil
        readDocument = .some(document)
        return document
    }

    /// The values of the inputs in a body of HTML by their names; of several with one name, that of the first.
    mutating func inputs() -> [String: String] {
        if let readInputs { return readInputs }
        var inputs: [String: String] = [:]
        for case .startTag(let tag) in text().map(HTMLTokenizer.init).map(Array.init) ?? [] where tag.name == "input" {
            if let name = tag["name"], inputs[name] == nil { inputs[name] = tag["value"] ?? "" }
        }
        readInputs = inputs
        return inputs
    }

    /// The values of the cookies that it sets, by their names; without those that it deletes, and those that it may not set.
    mutating func cookies() -> [String: String] {
        if let readCookies { return readCookies }
        guard let jar = rules?.emptied() else { return [:] }
        jar.store(head.response.headerFields[values: .setCookie], from: head.url)
        let cookies = Dictionary(jar.all.map { ($0.name, $0.value) }) { _, last in last }
        readCookies = cookies
        return cookies
    }
}
