import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One login: loads pages and determines the next request from each.
struct FormFillingFlow {
    /// The target and the fields of a submitted form. If the same form appears again, its values were wrong.
    private struct Question {
        let target: String
        let fields: Set<String>
        let asksForPassword: Bool

        func isSame(as other: Question) -> Bool {
            // After a wrong password, a server may ask for the password alone, so one common field is enough.
            target == other.target
                && (fields == other.fields || (asksForPassword && other.asksForPassword && !fields.isDisjoint(with: other.fields)))
        }
    }

    private let presentation: WebPresentation
    private let jar: CookieJar
    private var loader: PageLoader
    private var filler: FormFiller
    /// The origins whose forms may receive values, in addition to that of the first page.
    private let origins: Set<Origin>
    private var answered: [Question] = []
    /// The URLs to which another application moves the page; `nil` if none can.
    private var moves: AsyncStream<URL>.Iterator?

    init(of presentation: WebPresentation, by presenter: FormFillingPresenter) {
        self.presentation = presentation
        jar = presentation.jar
        loader = PageLoader(
            transport: presentation.transport, jar: jar, finish: presentation.finish, maximumPages: presenter.maximumPages,
            maximumPageSize: presenter.maximumPageSize)
        filler = FormFiller(values: presenter.values, user: presenter.user, password: presenter.password)
        origins = presenter.origins
        moves = presentation.mover?.urls().makeAsyncIterator()
    }

    mutating func run() async throws -> WebPresentationResult {
        var visit = presentation.form.map { PageVisit(posting: $0) } ?? PageVisit(presentation.url)
        while true {
            switch try await loader.load(visit) {
            case .finished(let url): return result(url)
            case .page(let page):
                visit = try await next(after: page)
                // A browser stops at this URL without loading it, but the content of a form must be submitted first.
                if visit.post == nil, presentation.finish.accepts(visit.url) { return result(visit.url) }
                try PageVisit(page.url).checkWay(to: visit.url)
            }
        }
    }

    private func result(_ finishURL: URL) -> WebPresentationResult {
        WebPresentationResult(finishURL: finishURL, cookies: jar.snapshot(), redirectURL: presentation.redirect?.url)
    }

    /// Returns the next visit: by the page itself or, if required values are unknown, by the next URL from another application.
    private mutating func next(after page: LoadedPage) async throws -> PageVisit {
        do {
            return try visit(after: page)
        } catch let error as FormFillingError {
            guard case .missingValues = error.reason, let url = await moves?.next() else { throw error }
            return PageVisit(url)
        }
    }

    private mutating func visit(after page: LoadedPage) throws -> PageVisit {
        guard !page.html.forms.contains(where: { wasAnswered($0, on: page) }) else { throw error(.loginRefused, on: page) }
        // An error page may contain a search or feedback form, so only a form with a password field counts there.
        let forms = page.status < 400 ? page.html.forms : page.html.forms.filter(\.asksForPassword)
        if let (form, filling) = best(of: forms) {
            try checkOrigin(of: page.url, on: page)
            guard filling.missing.isEmpty else { throw missing(filling.missing, on: page) }
            let visit = try page.submission(of: form, with: filling)
            try checkOrigin(of: visit.url, on: page)
            if let question = question(of: form, on: page) { answered.append(question) }
            filler.forget(filling)
            return visit
        }
        guard page.status < 400 else { throw error(.status(page.status), on: page) }
        if let target = page.html.refresh {
            return try page.visit(following: target)
        }
        guard let form = forms.first else { throw error(page.html.hasScript ? .needsScript : .noForm, on: page) }
        let questions = forms.flatMap(\.questions)
        guard questions.isEmpty else { throw missing(questions, on: page) }
        guard forms.count == 1 else { throw error(.severalForms, on: page) }
        return try page.submission(of: form, with: filler.fill(form))
    }

    /// Returns the form to fill in, with its values: preferably without missing values and with a password field, then without
    /// missing values, then the first with a known value.
    private func best(of forms: [HTMLForm]) -> (HTMLForm, FormFiller.Filling)? {
        let filled = forms.map { ($0, filler.fill($0)) }.filter { $0.1.isAnswer }
        return filled.first { $0.1.missing.isEmpty && $0.0.asksForPassword } ?? filled.first { $0.1.missing.isEmpty }
            ?? filled.first
    }

    /// Checks that values may be sent to an origin: that of the first page, a listed one, or, if the first page is on this
    /// machine, any loopback origin.
    private func checkOrigin(of url: URL, on page: LoadedPage) throws {
        guard let origin = Origin(url) else { throw error(.addressRefused(.unusable), on: page) }
        let first = Origin(presentation.url)
        let isHere = first?.isLoopback == true && origin.isLoopback
        guard origin == first || isHere || origins.contains(origin) else { throw error(.unnamedOrigin(origin), on: page) }
    }

    /// Returns the target and the fields of a form; `nil` if its URL is invalid, which is an error only when the form is
    /// submitted.
    private func question(of form: HTMLForm, on page: LoadedPage) -> Question? {
        guard let target = try? page.url(ofAction: form.action) else { return nil }
        return Question(
            target: target.originAndPath, fields: Set(form.fields.filter(\.isVisible).map(\.name)),
            asksForPassword: form.asksForPassword)
    }

    private func wasAnswered(_ form: HTMLForm, on page: LoadedPage) -> Bool {
        guard !answered.isEmpty, let question = question(of: form, on: page) else { return false }
        return answered.contains { $0.isSame(as: question) }
    }

    /// Creates the error for missing values. The page chooses the field names, so their number and length are limited.
    private func missing(_ names: [String], on page: LoadedPage) -> FormFillingError {
        error(.missingValues(names.prefix(20).map { String($0.prefix(80)) }), on: page)
    }

    private func error(_ reason: FormFillingError.Reason, on page: LoadedPage) -> FormFillingError {
        let title = page.html.title
        // The title may repeat a submitted value, also one that the limit would cut off.
        let isHarmless = !title.isEmpty && !filler.mentionsValue(title)
        return FormFillingError(reason, page: page.url.originAndPath, title: isHarmless ? String(title.prefix(120)) : nil)
    }
}
