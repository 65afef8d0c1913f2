import CountersignTemplates
import Stencil

/// Renders plans as text, with the templates.
struct Renderer {
    private let environment = Environment(trimBehaviour: .smart)
    private let templates: [String: Template]

    /// Reads and checks the templates.
    init(templates texts: [String: String] = TemplateTexts.all) throws(RenderingError) {
        var templates: [String: Template] = [:]
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            let template = Template(templateString: text, environment: environment, name: name)
            try TemplateSyntaxCheck.check(template, text: text, name: name)
            templates[name] = template
        }
        self.templates = templates
    }

    /// Renders one template.
    func render(_ name: String, _ view: View) throws(RenderingError) -> String {
        guard let template = templates[name] else { throw RenderingError(template: name, message: "there is no such template") }
        do {
            return try template.render([TemplateSyntaxCheck.root: view])
        } catch let error as TemplateSyntaxError {
            let place = error.token.map { " in '\($0.contents)'" } ?? ""
            throw RenderingError(template: name, message: error.reason + place)
        } catch {
            throw RenderingError(template: name, message: "\(error)")
        }
    }

    /// Renders a file.
    func render(_ file: FilePlan) throws(RenderingError) -> GeneratedFile {
        var sections = [("Header", file.headerView)]
        switch file.content {
        case .nothing: break
        case .landscape(let plan):
            if let settings = plan.settings { sections.append(("Parameters", settings.view(mark: "Settings"))) }
            sections += plan.operations.flatMap(\.sections)
            sections.append(("Landscape", plan.constant.view))
        case .method(let plan):
            sections += plan.parameters.enumerated().map { ("Parameters", $1.view(mark: $0 == 0 ? "Parameters" : nil)) }
            sections += plan.errors.enumerated().map { ("Errors", $1.view(isFirst: $0 == 0)) }
            switch plan.method {
            case .cookies(let method):
                sections += [
                    ("Method", method.definition.view), ("Authenticator", method.authenticatorView),
                    ("Observer", method.observerView), ("ObserverSendable", method.observerView),
                ]
            case .token(let method):
                sections.append(("Method", method.definition.view))
                sections += [
                    ("Grants", method.grantsView), ("GrantAuthenticator", method.authenticatorView),
                    ("GrantObserver", method.observerView),
                    ("ObserverSendable", method.observerView),
                ]
            case .credential(let method):
                sections += [
                    ("Method", method.definition.view), ("CredentialObserver", method.observerView),
                    ("ObserverSendable", method.observerView),
                ]
            }
        case .programs(let plan): sections += plan.operations.flatMap(\.sections) + [("Programs", plan.view)]
        case .program(let plan):
            sections.append(("Parameters", plan.parameters.view(mark: "Parameters")))
            sections += plan.errors.enumerated().map { ("Errors", $1.view(isFirst: $0 == 0)) }
            sections.append(("Program", plan.program.view))
        case .enrolment(let plan):
            sections.append(("Parameters", plan.parameters.view(mark: "Parameters")))
            sections += plan.errors.enumerated().map { ("Errors", $1.view(isFirst: $0 == 0)) }
            sections += [("Method", plan.enrolment.definition.view), ("Enrolment", plan.enrolment.view)]
        }
        var text = ""
        var places: [GeneratedFile.Section] = []
        var line = 1
        for (index, (template, view)) in sections.enumerated() {
            let section = (index == 0 ? "" : "\n") + (try render(template, view))
            places.append(GeneratedFile.Section(template: template, firstLine: line))
            line += section.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
            text += section
        }
        return GeneratedFile(name: file.name, text: text, sections: places)
    }
}
