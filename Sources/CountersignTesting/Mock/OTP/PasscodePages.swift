import Countersign

/// The pages that ask for a one-time passcode.
enum PasscodePages {
    /// Returns the body of a challenge, for users who open the resource in a browser.
    static func challenge(form: String) -> String {
        page(
            "Passcode needed",
            "<h1>Passcode needed</h1>\n<p><a href=\"\(form.escapedForMarkup)\">Enter a passcode</a>, then try again.</p>")
    }

    /// Returns the form.
    ///
    /// - Parameter authenticator: The URL that opens an authenticator app, for a link below the form's field.
    static func form(action: String, field: String, message: String?, authenticator: String?) -> String {
        let link = authenticator.map { "<p><a href=\"\($0.escapedForMarkup)\">Open the authenticator</a></p>" } ?? ""
        return page(
            "Passcode",
            """
            <h1>Passcode</h1>
            \(message.map { "<p role=\"alert\">\($0.escapedForMarkup)</p>" } ?? "")
            <form method="post" action="\(action.escapedForMarkup)" accept-charset="utf-8">
            <p><label for="passcode">Passcode</label>
            <input id="passcode" name="\(field.escapedForMarkup)" type="text" inputmode="numeric" autocomplete="one-time-code" required></p>
            \(link)
            <button type="submit">Continue</button>
            </form>
            """)
    }

    private static func page(_ title: String, _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <title>\(title.escapedForMarkup)</title>
        </head>
        <body>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }
}
