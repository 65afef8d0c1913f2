import Countersign

/// The HTML pages of a web login.
package enum LoginPages {
    /// Returns the body of a challenge, for users who open the resource in a browser.
    static func challenge(launcher: String) -> String {
        page(
            "Sign-in needed",
            """
            <h1>Sign-in needed</h1>
            <p><a href="\(launcher.escapedForMarkup)">Sign in</a>, then try again.</p>
            """)
    }

    /// Returns a page that redirects to `target` by a script. Without scripts, the browser shows a form.
    static func scriptRedirect(to target: String, formAction: String, fields: [(name: String, value: String)]) -> String {
        page(
            "Signing in",
            """
            <noscript>
            <form method="post" action="\(formAction.escapedForMarkup)">
            <p>JavaScript is disabled: continue manually.</p>
            \(hiddenFields(fields))
            <button type="submit">Continue</button>
            </form>
            </noscript>
            """,
            script: "window.location.replace(\"\(escapeForScript(target))\");")
    }

    /// Returns a form that submits itself. Without scripts, the browser shows a button.
    static func selfSubmittingForm(action: String, fields: [(name: String, value: String)]) -> String {
        page(
            "Signing in",
            """
            <form id="response" method="post" action="\(action.escapedForMarkup)">
            \(hiddenFields(fields))
            <noscript><p>JavaScript is disabled: continue manually.</p><button type="submit">Continue</button></noscript>
            </form>
            <script>document.getElementById("response").submit();</script>
            """)
    }

    /// The name of the cancel button in a submitted login form.
    static let cancelField = "cancel"

    /// Returns the login form, optionally with a cancel button.
    static func loginForm(
        action: String, userField: String, passwordField: String, user: String, message: String?,
        fields: [(name: String, value: String)], canCancel: Bool = false
    ) -> String {
        page(
            "Sign in",
            """
            <h1>Sign in</h1>
            \(message.map { "<p role=\"alert\">\($0.escapedForMarkup)</p>" } ?? "")
            <form method="post" action="\(action.escapedForMarkup)" accept-charset="utf-8">
            \(hiddenFields(fields))
            <p><label for="user">User name</label>
            <input id="user" name="\(userField.escapedForMarkup)" type="text" value="\(user.escapedForMarkup)" autocomplete="username" required></p>
            <p><label for="password">Password</label>
            <input id="password" name="\(passwordField.escapedForMarkup)" type="password" autocomplete="current-password" required></p>
            <button type="submit">Sign in</button>\(canCancel ? "\n\(cancelButton)" : "")
            </form>
            """)
    }

    /// Returns a form with a confirmation button.
    static func confirmation(_ title: String, action: String, fields: [(name: String, value: String)]) -> String {
        page(
            title,
            """
            <h1>\(title.escapedForMarkup)</h1>
            <form method="post" action="\(action.escapedForMarkup)" accept-charset="utf-8">
            \(hiddenFields(fields))
            <button type="submit">\(title.escapedForMarkup)</button>
            </form>
            """)
    }

    /// Returns the form for a user code.
    static func deviceForm(action: String, code: String, userField: String, passwordField: String, message: String?) -> String {
        page(
            "Connect a device",
            """
            <h1>Connect a device</h1>
            \(message.map { "<p role=\"alert\">\($0.escapedForMarkup)</p>" } ?? "")
            <form method="post" action="\(action.escapedForMarkup)" accept-charset="utf-8">
            <p><label for="code">The code that the device shows</label>
            <input id="code" name="user_code" type="text" value="\(code.escapedForMarkup)" autocomplete="off" required></p>
            <p><label for="user">User name</label>
            <input id="user" name="\(userField.escapedForMarkup)" type="text" autocomplete="username" required></p>
            <p><label for="password">Password</label>
            <input id="password" name="\(passwordField.escapedForMarkup)" type="password" autocomplete="current-password" required></p>
            <button type="submit">Connect</button>
            \(cancelButton)
            </form>
            """)
    }

    private static var cancelButton: String {
        "<button type=\"submit\" name=\"\(cancelField)\" value=\"true\" formnovalidate>Cancel</button>"
    }

    /// Returns a page with a message.
    package static func message(_ title: String, _ text: String) -> String {
        page(title, "<h1>\(title.escapedForMarkup)</h1>\n<p>\(text.escapedForMarkup)</p>")
    }

    private static func page(_ title: String, _ content: String, script: String? = nil) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title.escapedForMarkup)</title>\(script.map { "\n<script>\($0)</script>" } ?? "")
        </head>
        <body>
        <main>
        \(content)
        </main>
        </body>
        </html>

        """
    }

    private static func hiddenFields(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "<input type=\"hidden\" name=\"\($0.name.escapedForMarkup)\" value=\"\($0.value.escapedForMarkup)\">" }.joined(
            separator: "\n")
    }

    /// Escapes text for a string literal in an inline script: all characters that could end the string or the script are escaped.
    private static func escapeForScript(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            if character.isASCII, character.value >= 0x20, !"\\\"'<>&".unicodeScalars.contains(character) {
                escaped.unicodeScalars.append(character)
            } else {
                for unit in String(character).utf16 {
                    let digits = String(unit, radix: 16)
                    escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            }
        }
        return escaped
    }
}
