/// Java's `keytool`, if it is installed.
enum KeyTool {
    static let isThere = (try? Program.run(["keytool", "-help"]).status) == 0
}
