/// Java's `keytool`, if the machine has one.
enum KeyTool {
    static let isThere = (try? Program.run(["keytool", "-help"]).status) == 0
}
