#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

/// A response for the comparison with patterns. Its challenges, body and cookies are parsed once, and only if a pattern needs
/// them.
struct ResponseReading {
    var head: ChallengedHead
    private let body: [UInt8]?
    /// Whether `body` is complete.
    private let isWhole: Bool
    /// The jar whose rules decide which cookies the response may set; `nil` if it sets none.
    private let rules: CookieJar?
    /// The query of the redirect URL if the response is the redirect of a login page.
    let query: FormParameters
    private var readText: String?
    private var readTree: JSONTree??
    private var readDocument: XMLTree??
    private var readInputs: [String: String]?
    private var readCookies: [String: String]?

    /// - Parameters:
    ///   - body: The body or its beginning; `nil` if only the head is compared.
    ///   - isWhole: Whether the body is complete.
    ///   - rules: The jar whose rules decide which cookies the response may set.
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

    /// Creates a reading of the redirect that ends a login page.
    init(query: FormParameters, from page: URL) {
        self.query = query
        rules = nil
        head = ChallengedHead(HTTPResponse(status: .found), from: page)
        body = nil
        isWhole = true
    }

    /// Creates a reading of the response of an exchange.
    init(_ response: HTTPResponse, in exchange: ExchangeContext) {
        let prefix = exchange.bodyPrefix
        self.init(
            ChallengedHead(response, from: exchange.address), body: prefix,
            isWhole: prefix.map { $0.count < ExchangeContext.maximumBodyPrefixSize } ?? false,
            judgedBy: exchange.session.cookies)
    }

    /// Whether the body is an event stream, which may never end.
    var isEventStream: Bool {
        head.response.headerFields[.contentType]?.lowercased().hasPrefix("text/event-stream") == true
    }

    /// Whether the body is a form.
    var isForm: Bool {
        head.response.headerFields[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true
    }

    /// Returns the body as text, as far as it was read; `nil` if it was not read.
    mutating func text() -> String? {
        readText = readText ?? body.map { String(decoding: $0, as: UTF8.self) }
        return readText
    }

    /// Returns the body as text, or in Base64 if it is binary; `nil` if it was not read.
    func whole() -> String? {
        body.map { bytes in
            // DER is detected as binary, since it soon contains a zero byte or invalid UTF-8.
            guard let text = String(validating: bytes, as: UTF8.self),
                text.utf8.allSatisfy({ $0 >= 0x20 || (0x09...0x0D).contains($0) })
            else { return Data(bytes).base64EncodedString() }
            return text
        }
    }

    /// Returns the body as JSON; `nil` if it is not JSON, or too long to be complete. A form is converted to an object of texts.
    mutating func json() -> JSONTree? {
        if let readTree { return readTree }
        let tree = isWhole ? body.flatMap { isForm ? JSONTree(form: $0) : JSONTree($0) } : nil
        readTree = .some(tree)
        return tree
    }

    /// Returns the body as XML; `nil` if it is not XML, or too long to be complete.
    mutating func xml() -> XMLTree? {
        if let readDocument { return readDocument }
        let document = isWhole ? body.flatMap { XMLTree($0) } : nil
        readDocument = .some(document)
        return document
    }

    /// Returns the values of the `input` elements in an HTML body, by name. If a name is repeated, its first value is used.
    mutating func inputs() -> [String: String] {
        if let readInputs { return readInputs }
        var inputs: [String: String] = [:]
        for case .startTag(let tag) in text().map(HTMLTokenizer.init).map(Array.init) ?? [] where tag.name == "input" {
            if let name = tag["name"], inputs[name] == nil { inputs[name] = tag["value"] ?? "" }
        }
        readInputs = inputs
        return inputs
    }

    /// Returns the values of the cookies that the response sets, by name, without those that it deletes or may not set.
    mutating func cookies() -> [String: String] {
        if let readCookies { return readCookies }
        guard let jar = rules?.emptied() else { return [:] }
        jar.store(head.response.headerFields[values: .setCookie], from: head.url)
        let cookies = Dictionary(jar.all.map { ($0.name, $0.value) }) { _, last in last }
        readCookies = cookies
        return cookies
    }
}
