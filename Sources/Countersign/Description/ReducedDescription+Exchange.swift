#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import HTTPTypes

// Of URLs only the origins are shown, because paths and queries often contain codes, names and tokens.

extension SessionRequest: ReducedDescription {
    /// Method, origin and kind of body.
    public var visibleParts: KeyValuePairs<String, String> {
        ["method": head.method.rawValue, "origin": head.shownOrigin, "fields": "\(head.headerFields.count)", "body": "\(body)"]
    }
}

extension RequestBody: ReducedDescription {
    /// The kind of body, and its length if known.
    public var visibleParts: KeyValuePairs<String, String> { content.visibleParts }
}

extension RequestBody.Content: ReducedDescription {
    /// The kind of body, and its length if known.
    public var visibleParts: KeyValuePairs<String, String> {
        switch self {
        case .none: ["kind": "none"]
        case .bytes(let bytes): ["kind": "bytes", "length": "\(bytes.count)"]
        case .restartable(let length, _): ["kind": "restartable", "length": length.map { "\($0)" } ?? "unknown"]
        case .once(let length, _): ["kind": "once", "length": length.map { "\($0)" } ?? "unknown"]
        }
    }
}

extension ResponseBody: ReducedDescription {
    /// Empty: bytes that were read ahead are not shown.
    public var visibleParts: KeyValuePairs<String, String> { [:] }
}

extension ResponseBody.AsyncIterator: ReducedDescription {
    /// Empty: bytes that were read ahead are not shown.
    public var visibleParts: KeyValuePairs<String, String> { [:] }
}

extension Verdict: ReducedDescription {
    /// The kind of verdict, and the signature or status.
    public var visibleParts: KeyValuePairs<String, String> {
        switch self {
        case .pass: ["kind": "pass"]
        case .challenge(let signature): ["kind": "challenge", "signature": signature]
        case .resend(let signature): ["kind": "resend", "signature": signature]
        case .replace(let head): ["kind": "replace", "status": "\(head.status.code)"]
        case .refuse(let error): ["kind": "refuse", "error": "\(type(of: error))"]
        }
    }
}

extension SessionResponse: ReducedDescription {
    /// Status and origin.
    public var visibleParts: KeyValuePairs<String, String> {
        ["status": "\(head.status.code)", "origin": url.shownOrigin, "fields": "\(head.headerFields.count)"]
    }
}

extension ExchangeContext: ReducedDescription {
    /// Method and origin.
    public var visibleParts: KeyValuePairs<String, String> {
        ["method": request.method.rawValue, "origin": "\(origin)"]
    }
}

extension ChallengeOccurrence: ReducedDescription {
    /// Signature, generation and status.
    public var visibleParts: KeyValuePairs<String, String> {
        [
            "signature": signature, "generation": "\(generation.number)",
            "status": response.map { "\($0.status.code)" } ?? "connection refused",
        ]
    }
}

extension WebPresentation: ReducedDescription {
    /// The method and the origin of the page.
    public var visibleParts: KeyValuePairs<String, String> {
        ["authenticationMethod": authenticationMethod, "origin": url.shownOrigin, "cookies": "\(cookies.cookies.count)"]
    }
}

extension WebPresentationResult: ReducedDescription {
    /// The origin of the URL that ended the flow.
    public var visibleParts: KeyValuePairs<String, String> {
        ["origin": finishURL.shownOrigin, "cookies": "\(cookies.cookies.count)"]
    }
}

extension ConfigurationValues: ReducedDescription {
    /// The keys.
    public var visibleParts: KeyValuePairs<String, String> {
        ["source": source, "keys": values.keys.sorted().joined(separator: " ")]
    }
}

extension HTTPRequest {
    fileprivate var shownOrigin: String { url.map(\.shownOrigin) ?? "none" }
}

extension URL {
    fileprivate var shownOrigin: String { Origin(self).map { "\($0)" } ?? "\(scheme ?? "none"):" }
}
