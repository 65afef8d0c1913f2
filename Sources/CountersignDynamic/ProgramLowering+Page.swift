internal import Countersign
internal import CountersignSpec

// The pages of a program: login pages, and those of servers whose fields the application is asked for.

extension LoginPage.Push {
    init(_ push: ResolvedProgram.Page.Push) {
        self.init(
            to: ProgramTemplate(push.url), client: HTTPCall.Client(push.client), proof: push.proof.map { ProofOfPossession($0) })
    }
}

extension LoginPage.Alternative {
    init(_ page: ResolvedProgram.Page.Alternative) {
        self.init(
            ProgramTemplate(page.url), isOnlyEmbedded: page.isOnlyEmbedded, query: page.query.map { NamedList($0) },
            without: page.without)
    }
}

extension FinishRule.Match {
    init(_ match: ResolvedProgram.Page.Match) {
        self =
            switch match {
            case .exact: .exact
            case .path: .path
            case .pathAndQueryNames: .pathAndQueryNames
            }
    }
}

extension CallbackRule {
    init(_ callback: ResolvedCallback) {
        self.init(
            schemeEnding: callback.schemeEnding, host: callback.host, path: callback.path, application: callback.application,
            source: callback.source, query: callback.query.map { Item($0.name.value, as: $0.pageName) })
    }
}

extension PromptPage {
    init(_ page: ResolvedProgram.PromptPage) {
        let texts = Dictionary(page.map { ($0.key, $0.text) }) { first, _ in first }
        self.init(
            fields: texts[.fields] ?? "", name: texts[.name] ?? "", prompt: texts[.prompt], preset: texts[.preset],
            type: texts[.type], hidden: texts[.hidden], confirms: texts[.confirms], message: texts[.message],
            messageType: texts[.messageType], disclaimer: texts[.disclaimer])
    }
}
