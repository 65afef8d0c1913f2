import CountersignTemplates
import Stencil
import TestTurns
import Testing

@testable import CountersignGenerator

@Suite(.computes) struct `Templates` {
    private static var view: View {
        View(
            "file",
            [
                "name": .text(SwiftStringLiteral("n")), "shown": .flag(true), "hidden": .flag(false),
                "lines": .comment(CommentText("a\nb")), "parts": .views([View("part", ["name": .text(SwiftStringLiteral("p"))])]),
                "part": .view(View("part", ["name": .text(SwiftStringLiteral("q"))])), "none": .views([]),
            ])
    }

    private func render(_ text: String) throws -> String {
        try Renderer(templates: ["Sample": text]).render("Sample", Self.view)
    }

    @Test func `known names are rendered`() throws {
        let text =
            "{{ it.name }}{% if it.shown %}{{ it.part.name }}{% endif %}{% for part in it.parts %}{{ part.name }}{% endfor %}"
        #expect(try render(text) == #""n""q""p""#)
        #expect(
            try render("{% for line in it.lines %}{{ line }};{% endfor %}{% if it.hidden %}x{% else %}y{% endif %}")
                == "// a;// b;y")
    }

    @Test(arguments: [
        "{{ it.nam }}", "{% if it.nam %}{% endif %}", "{% if it.nam %}{% else %}{% endif %}",
        "{% for line in it.nam %}{% endfor %}",
        "{{ it.part.nam }}", "{% if it.part.nam %}{% endif %}", "{% for line in it.part.nam %}{% endfor %}", "{{ it.nam.nam }}",
        "{% if it.nam.nam %}{% endif %}", "{% for part in it.parts %}{{ part.nam }}{% endfor %}",
        "{% for part in it.parts %}{% if part.nam %}{% endif %}{% endfor %}",
        "{% for part in it.parts %}{% for line in part.nam %}{% endfor %}{% endfor %}",
    ])
    func `an unknown member throws`(text: String) throws {
        let error = try #require(throws: RenderingError.self) { try render(text) }
        #expect(error.template == "Sample")
        #expect(error.message.contains("nam'"))
    }

    @Test(arguments: [
        "{{ nam }}", "{{ nam.name }}", "{% if nam %}{% endif %}", "{% for line in nam %}{% endfor %}", "{{ part.name }}",
        "{% for part in it.parts %}{% endfor %}{{ part.name }}", "{% for line in it.none %}{{ nam }}{% endfor %}",
        "{% if it.hidden %}{{ nam }}{% endif %}",
    ])
    func `an unknown first name throws, also where it would not be reached`(text: String) throws {
        let error = try #require(throws: RenderingError.self) { try render(text) }
        #expect(error.template == "Sample")
    }

    @Test(arguments: ["{{ it.part }}", "{% for part in it.parts %}{{ part }}{% endfor %}"])
    func `a part of the plan is no text`(text: String) throws {
        let error = try #require(throws: RenderingError.self) { try render(text) }
        #expect(error.message.contains("is not a text"))
    }

    @Test(arguments: [
        "{{ it.name|uppercase }}", "{{ it.name|default:'x' }}", "{% if it.shown and it.hidden %}{% endif %}",
        "{% if it.name == 'x' %}{% endif %}",
        "{% if not it.shown %}{% endif %}", "{{ it.parts.last.name }}", "{{ it.parts.count }}", "{{ it.parts.0.name }}",
        "{% include 'a' %}",
        "{{ 'text' }}", "{{ 1 }}", "{% for a, b in it.parts %}{% endfor %}", "{% ifnot it.shown %}{% endif %}",
        "{{ it.name if it.shown }}",
        "{% for part in it.parts where part.name %}{% endfor %}", "{% break %}", "{% if it.shown %}", "{% endif %}",
        "{% for part in it.parts %}{% endif %}", "{% elif it.shown %}", "{{ it.name }} \u{E9}", "{{ }}",
    ])
    func `a template decides nothing and uses no other part of Stencil`(text: String) {
        #expect(throws: RenderingError.self) { try render(text) }
    }

    @Test func `text is rendered once`() throws {
        let view = View("file", ["name": .text(SwiftStringLiteral("{{ it.name }}{% for %}"))])
        #expect(try Renderer(templates: ["Sample": "{{ it.name }}"]).render("Sample", view) == "\"{{ it.name }}{% for %}\"")
    }

    @Test func `a template that is not there throws with its name`() throws {
        let error = try #require(throws: RenderingError.self) { try Renderer(templates: [:]).render("Missing", Self.view) }
        #expect(error.description == "template 'Missing': there is no such template (a defect of Countersign, not of a spec)")
    }

    @Test func `all templates are in order`() throws {
        #expect(TemplateTexts.all.count == 16)
        _ = try Renderer()
    }
}
