// Repeated steps.

extension ProgramStepReader {
    /// Reads steps that are repeated while conditions hold.
    ///
    /// The values that the steps fill are absent at the start of each run, so the paths through all runs are those through the
    /// first. An exception is a value that was present before and is absent on some path after a run: the steps are read again
    /// with these paths added, until there are no new ones.
    ///
    /// - Returns: `nil` if something in it cannot be read; that is reported.
    mutating func repetition(
        _ entry: DocumentNode.Entry, into diagnostics: inout DiagnosticCollector
    ) -> ResolvedProgram.Step.Action? {
        let node = entry.value
        var ends = ProgramPaths.none
        let conditions = conditions(node.entry("while"), isRepeated: true, leaving: &ends, into: &diagnostics)
        guard let conditions else {
            scope.paths.forget()
            _ = steps(node["steps"]?.items ?? [], into: &diagnostics)
            return nil
        }
        // As for other inherited steps.
        let neverRuns = scope.paths.all.isEmpty
        if neverRuns {
            scope.paths = ends
            scope.paths.forget()
        }
        let times = ProgramTimeReader(scope: scope)
        let interval = times.read(node.entry("every"), from: 1000, into: &diagnostics)
        let timeout = times.read(node.entry("within"), into: &diagnostics)
        if let every = node.entry("every"), part != .acquire {
            diagnostics.report(
                .misplacedKey, "only the steps under 'acquire' can poll a server; remove 'every'",
                at: every.keySpan)
        }
        if let every = node.entry("every"), node["within"] == nil {
            diagnostics.report(.missingKey, "steps with 'every' need the key 'within' as their time limit", at: every.keySpan)
        }
        let isWithin = (filling.isRepeating, isPaced)
        filling.isRepeating = true
        isPaced = node["every"] != nil
        defer { (filling.isRepeating, isPaced) = isWithin }
        let items = node["steps"]?.items ?? []
        var starts = scope.paths
        starts.beginRuns(askingFor: Set(items.flatMap(\.askedNames).compactMap { scope.slot(of: $0, .step) }), scope.isOfStep)
        let count = scope.slotCount
        var read: [ResolvedProgram.Step]?
        var last = ProgramPaths.none
        var found = diagnostics.forPart
        repeat {
            scope.paths = starts
            scope.paths.pad(to: scope.slotCount)
            // The last reading covers the paths of all previous ones, so its diagnostics replace theirs.
            found = diagnostics.forPart
            read = steps(items, into: &found)
            last = .none
            for condition in conditions {
                last.join(
                    scope.paths.split(on: condition) { _ in
                        ProgramPaths.Turn(
                            kind: .condition, span: entry.keySpan,
                            note: Diagnostic.Note("after this 'repeat'", at: entry.key.location))
                    })
            }
            // Steps that cannot be read, also because there are too many paths, are not read again.
        } while read != nil && starts.resume(from: scope.paths, after: count)
        diagnostics.add(found)
        if read != nil, last.all.isEmpty {
            diagnostics.report(
                .neverSucceeds,
                "these steps always run until their limit, because 'while' holds after every path through them; add an answer that does not set its value",
                at: entry.keySpan)
        }
        last.endRuns()
        scope.paths = ends
        if !neverRuns { scope.paths.join(last) }
        if scope.paths.all.isEmpty {
            // The cause has been reported, here or in the steps.
            scope.paths = starts
            scope.paths.pad(to: scope.slotCount)
            scope.paths.forget()
        }
        // With pauses of at least a second and a time limit of at most an hour, there are at most 3,600 runs.
        let most = isPaced ? 3600 : 10
        guard let read, let limit = node["limit"] == nil ? most : node.text("limit", as: .count)?.value.strictInteger,
            (interval == nil) == (node["every"] == nil), (timeout == nil) == (node["within"] == nil)
        else { return nil }
        return .repeat(.init(limit: limit, conditions: conditions, interval: interval, timeout: timeout, steps: read))
    }
}

extension DocumentNode {
    /// The names of the values for which a step asks the application.
    fileprivate var askedNames: [String] {
        guard let prompt = self["prompt"] else { return [] }
        return (prompt["fields"]?.entries ?? []).map(\.key.value) + [prompt["page"]?.text("answers")].compactMap(\.self)
    }
}
