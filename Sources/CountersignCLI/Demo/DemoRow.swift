/// The result of the demo for one method.
struct DemoRow: Encodable, Sendable, Equatable {
    /// The method's name in its spec.
    var method: String
    /// The challenge as it came over the wire: status and fields.
    var challenge: String
    /// The steps that were run to answer it.
    var steps: [String]
    /// The number of requests that the client sent for a single one, from the first one without a credential to the answered one.
    /// Requests of a browser are not counted.
    var exchanges = 0
    /// The number of requests that were sent at once.
    var requests: Int
    /// The number of these requests that the server challenged.
    var challenged = 0
    /// The number of logins that the server completed for them.
    var authentications = 0
    /// The total number of times that they arrived at the server.
    var sends = 0
    /// The number of these requests that were answered with data in the end.
    var answered = 0
    /// The time that they took, including the login, in seconds.
    var seconds = 0.0
    /// The difference from a real server; `nil` if there is none.
    var remark: String?
    /// The problems, one sentence each.
    var problems: [String] = []

    /// Whether there are no problems.
    var ok: Bool { problems.isEmpty }

    private enum CodingKeys: CodingKey {
        case method, challenge, steps, exchanges, neededExchanges, requests, challenged, authentications, sends, answered, seconds,
            remark, problems, ok
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(method, forKey: .method)
        try container.encode(challenge, forKey: .challenge)
        try container.encode(steps, forKey: .steps)
        try container.encode(exchanges, forKey: .exchanges)
        try container.encodeIfPresent(ExchangePlan.of(row: method)?.needed.count, forKey: .neededExchanges)
        try container.encode(requests, forKey: .requests)
        try container.encode(challenged, forKey: .challenged)
        try container.encode(authentications, forKey: .authentications)
        try container.encode(sends, forKey: .sends)
        try container.encode(answered, forKey: .answered)
        try container.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
        try container.encodeIfPresent(remark, forKey: .remark)
        try container.encode(problems, forKey: .problems)
        try container.encode(ok, forKey: .ok)
    }

    /// Returns the challenge, the steps and the requests, in lines of at most 80 columns; empty for a row that could not be
    /// shown.
    func details() -> [String] {
        let plan = exchanges == 0 ? nil : ExchangePlan.of(row: method)
        let details = [
            LabelledText(label: "challenge", text: challenge), LabelledText(label: "steps", text: steps.joined(separator: ", ")),
            LabelledText(label: "requests", text: plan.map { "\(exchanges): \($0.text)" } ?? ""),
            LabelledText(label: "remark", text: remark ?? ""),
        ]
        return details.filter { !$0.text.isEmpty }.flatMap { $0.lines(textAt: 13) }
    }

    /// Compares the counts with the expected values, and adds the differences as problems.
    mutating func judge() {
        if let plan = ExchangePlan.of(row: method), exchanges != plan.count {
            problems.append("a sign-in took \(exchanges) requests instead of \(plan.count): \(plan.text)")
        }
        if challenged != requests { problems.append("\(challenged) of \(requests) requests were challenged") }
        if authentications != 1 { problems.append("\(authentications) authentications instead of 1") }
        if sends > 2 * requests { problems.append("\(sends) sends, more than two for each request") }
        if answered != requests { problems.append("\(answered) of \(requests) requests were answered") }
    }
}
