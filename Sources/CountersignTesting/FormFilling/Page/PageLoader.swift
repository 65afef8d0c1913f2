import Countersign
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Loads pages through the session's transport, with the flow's cookies, and follows redirects.
struct PageLoader {
    enum Outcome {
        /// The flow ended: a redirect led to a finish URL, which is not loaded, or a page was loaded from one.
        case finished(URL)
        case page(LoadedPage)
    }

    let transport: any HTTPTransport
    let jar: CookieJar
    let finish: FinishRule
    let maximumPages: Int
    let maximumPageSize: Int
    private var pages = 0

    init(transport: any HTTPTransport, jar: CookieJar, finish: FinishRule, maximumPages: Int, maximumPageSize: Int) {
        self.transport = transport
        self.jar = jar
        self.finish = finish
        self.maximumPages = maximumPages
        self.maximumPageSize = maximumPageSize
    }

    /// Loads a page and follows redirects.
    mutating func load(_ visit: PageVisit) async throws -> Outcome {
        var visit = visit
        while true {
            try Task.checkCancellation()
            try visit.checkWay(to: visit.url)
            pages += 1
            guard pages <= maximumPages else {
                throw FormFillingError(.tooManyPages(limit: maximumPages), page: visit.url.originAndPath)
            }
            let response = try await transport.send(visit.request(cookies: jar.header(for: visit.url)))
            jar.store(response.head.headerFields[values: .setCookie], from: visit.url)
            if let next = try redirect(of: visit, in: response) {
                if finish.accepts(next.url) { return .finished(next.url) }
                visit = next
            } else if response.head.status.code < 400, finish.accepts(visit.url) {
                response.body.cancel()
                return .finished(visit.url)
            } else {
                return .page(try await page(of: response, at: visit.url))
            }
        }
    }

    private func redirect(of visit: PageVisit, in response: SessionResponse) throws -> PageVisit? {
        do {
            let next = try visit.redirect(in: response.head, unlessEndedBy: finish)
            if next != nil { response.body.cancel() }
            return next
        } catch {
            response.body.cancel()
            throw error
        }
    }

    private func page(of response: SessionResponse, at url: URL) async throws -> LoadedPage {
        let status = response.head.status.code
        let type = response.head.headerFields[.contentType].flatMap { MediaType($0) }
        guard let type, type.isHTML else {
            response.body.cancel()
            let reason: FormFillingError.Reason = status < 400 ? .notHTML(contentType: type?.essence) : .status(status)
            throw FormFillingError(reason, page: url.originAndPath)
        }
        do {
            let bytes = try await response.body.collect(upTo: maximumPageSize)
            return LoadedPage(url: url, status: status, bytes: bytes, type: type)
        } catch let error as CountersignError where error.code == .responseTooLarge {
            throw FormFillingError(.pageTooLarge(limit: maximumPageSize), page: url.originAndPath)
        }
    }
}
