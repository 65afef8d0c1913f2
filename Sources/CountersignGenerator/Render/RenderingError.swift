/// An error in a template, never in a spec.
package struct RenderingError: Error, CustomStringConvertible {
    /// The template's name.
    package let template: String
    /// The description of the error.
    package let message: String

    package var description: String {
        "template '\(template)': \(message) (a defect of Countersign, not of a spec)"
    }
}
