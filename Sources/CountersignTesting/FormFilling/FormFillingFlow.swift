import Countersign

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One login: opens pages and decides on each how to go on.
struct FormFillingFlow {
    /// What a form asks for; the same question twice means that the answer was wrong.
    private struct Question {
        let target: String
        let fields: Set<String>
        let asksForPassword: Bool

        func isSame(as other: Question) -> Bool {
            // A user whose name was right may be asked for the password alone.
            target == other.target
                && (fields == other.fields || (asksForPassword && other.asksForPassword && !fields.isDisjoint(with: other.fields)))
        }
    }

    private let presentation: WebPresentation
    private let jar: CookieJar
    private var loader: PageLoader
    private var filler: FormFiller
    /// The origins that are named.
    private let origins: Set<Origin>
    private var answered: [Question] = []
    /// Where the page is sent on to from outside, if it can be.
    private var moves: AsyncStream<URL>.Iterator?

    init(of presentation: WebPresentation, by presenter: FormFillingPresenter) {
        self.presentation = presentation
        jar = presentation.jar
        loader = PageLoader(
            transport: presentation.transport, jar: jar, finish: presentation.finish, maximumPages: presenter.maximumPages,
            maximumPageBytes: presenter.maximumPageBytes)
        filler = FormFiller(values: presenter.values, user: presenter.user, password: presenter.password)
        origins = presenter.origins
        moves = presentation.mover?.urls().makeAsyncIterator()
    }

    mutating func run() async throws -> WebPresentationResult {
        var visit = PageVisit(presentation.url)
        while true {
            switch try await loader.load(visit) {
            case .finished(let url): return result(url)
            case .page(let page):
                visit = try await next(after: page)
                // A browser that is sent there is at its end; a form's content has to be delivered first.
                if visit.post == nil, presentation.finish.accepts(visit.url) { return result(visit.url) }
                try PageVisit(page.url).checkWay(to: visit.url)
            }
        }
    }

    private func result(_ finishURL: URL) -> WebPresentationResult {
        WebPresentationResult(finishURL: finishURL, cookies: jar.snapshot(), redirectURL: presentation.redirect?.url)
    }

    /// How to go on: by what the page says, or by what comes from outside where values are missing that are not known here.
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
        // An error page may have forms too, for a search or a report; a login form is one that asks for a password.
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

    /// The form that values are known for: rather one without gaps, then one that asks for a password, then the first.
    private func best(of forms: [HTMLForm]) -> (HTMLForm, FormFiller.Filling)? {
        let filled = forms.map { ($0, filler.fill($0)) }.filter { $0.1.isAnswer }
        return filled.first { $0.1.missing.isEmpty && $0.0.asksForPassword } ?? filled.first { $0.1.missing.isEmpty }
            ?? filled.first
    }

    /// Values are for the first page's origin and for those that are named. Between origins of this machine nothing leaves it.
    private func checkOrigin(of url: URL, on page: LoadedPage) throws {
        guard let origin = Origin(url) else { throw error(.addressRefused(.unusable), on: page) }
        let first = Origin(presentation.url)
        let isHere = first?.isLoopback == true && origin.isLoopback
        guard origin == first || isHere || origins.contains(origin) else { throw error(.unnamedOrigin(origin), on: page) }
    }

    /// What a form asks for; nothing if its address cannot be read, which is an error only for a form that is submitted.
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

    /// Names come from the page, so they are many and long at its will.
    private func missing(_ names: [String], on page: LoadedPage) -> FormFillingError {
        error(.missingValues(names.prefix(20).map { String($0.prefix(80)) }), on: page)
    }

    private func error(_ reason: FormFillingError.Reason, on page: LoadedPage) -> FormFillingError {
        let title = page.html.title.prefix(120)
        // A page may repeat what was typed.
        let isHarmless = !title.isEmpty && !filler.mentionsValue(String(title))
        return FormFillingError(reason, page: page.url.originAndPath, title: isHarmless ? String(title) : nil)
    }
}
