import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A loaded page with its URL, to which its links and forms are relative.
struct LoadedPage {
    let url: URL
    let status: Int
    let html: HTMLPage
    /// The character encoding, in lower case, if it is known.
    private let charset: String?

    init(url: URL, status: Int, bytes: [UInt8], type: MediaType) {
        // The supported encodings agree on ASCII, so decoding as UTF-8 suffices to find a declared encoding.
        let text = String(decoding: bytes, as: UTF8.self)
        let html = HTMLPage(text)
        charset = type.charset ?? html.charset?.lowercased()
        self.html = charset.map(Self.latin1Names.contains) == true ? HTMLPage(Self.latin1(bytes)) : html
        self.url = url
        self.status = status
    }

    // MARK: Going on

    /// Returns the visit to the target of a refresh.
    func visit(following target: String) throws -> PageVisit {
        guard let target = URL.reference(target, on: base) else {
            throw FormFillingError(.addressRefused(.unusable), page: url.originAndPath)
        }
        return PageVisit(target)
    }

    /// Returns the target of a form, which is its own page if it has no action.
    func url(ofAction action: String?) throws -> URL {
        guard let action, !action.allSatisfy(\.isWhitespace) else { return url }
        guard let target = URL.reference(action, on: base) else { throw error(.unsupportedForm("invalid action URL")) }
        return target
    }

    /// Returns the visit that submits a form of this page.
    func submission(of form: HTMLForm, with filling: FormFiller.Filling) throws -> PageVisit {
        let target = try url(ofAction: filling.submit?.action ?? form.action)
        let method = filling.submit?.method ?? form.method
        let encoding = filling.submit?.encoding ?? form.encoding
        try checkSubmission(to: target, method: method, of: form, with: filling)
        guard method == "post" else { return PageVisit(target.withQuery(FormURLEncoding.encode(filling.pairs))) }
        guard encoding != "text/plain" else { throw error(.unsupportedForm(encoding)) }
        let (contentType, body) =
            encoding == "multipart/form-data"
            ? FormMultipartEncoding.encode(filling.pairs) : (HTMLForm.urlEncoded, FormURLEncoding.encode(filling.pairs))
        return PageVisit(
            target, post: .init(contentType: contentType, body: body, origin: Origin(url), holdsValues: filling.isAnswer))
    }

    private func checkSubmission(to target: URL, method: String, of form: HTMLForm, with filling: FormFiller.Filling) throws {
        guard method != "dialog" else { throw error(.unsupportedForm(method)) }
        guard !filling.isAnswer || Origin(target)?.isPrivate == true else { throw error(.insecureForm) }
        // A form is sent in the page's encoding unless it names another one. For ASCII alone, the encoding makes no difference.
        let charset = form.acceptedCharsets?.lowercased() ?? charset ?? "utf-8"
        let isUnicode = charset.split { $0 == " " || $0 == "," }.contains { $0 == "utf-8" || $0 == "utf8" }
        guard isUnicode || filling.pairs.allSatisfy({ ($0.name + $0.value).utf8.allSatisfy { $0 < 0x80 } }) else {
            throw error(.unsupportedForm("\(charset.prefix(40)) text"))
        }
    }

    private func error(_ reason: FormFillingError.Reason) -> FormFillingError {
        FormFillingError(reason, page: url.originAndPath)
    }

    private var base: URL { html.base.flatMap { URL.reference($0, on: url) } ?? url }

    private static let latin1Names: Set = ["iso-8859-1", "latin1", "windows-1252", "iso8859-1"]

    private static func latin1(_ bytes: [UInt8]) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }
}
