import ArgumentParser

@main struct GeneratorCommand: ParsableCommand {
    func run() throws {}
}
