/// A mistake in a template: never the fault of a spec.
package struct RenderingError: Error, CustomStringConvertible {
    /// The template's name.
    package let template: String
    /// What is wrong.
    package let message: String

    package var description: String {
        "template '\(template)': \(message) (a defect of Countersign, not of a spec)"
    }
}
