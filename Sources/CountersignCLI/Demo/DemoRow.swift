/// What the demo found out about one method.
struct DemoRow: Encodable, Sendable, Equatable {
    /// The method's name in its spec.
    var method: String
    /// The challenge as it came over the wire: status and fields.
    var challenge: String
    /// The steps that were run to answer it.
    var steps: [String]
    /// How many requests the client sent for a single one, from that without a credential to the one that was answered; none of a browser's.
    var exchanges = 0
    /// How many requests were sent at once.
    var requests: Int
    /// How many of them the server challenged.
    var challenged = 0
    /// How many logins the server completed for them.
    var authentications = 0
    /// How often they arrived at the server, all in all.
    var sends = 0
    /// How many of them were answered with data in the end.
    var answered = 0
    /// How long they took, login included.
    var seconds = 0.0
    /// What is other than at a real server; `nil` for nothing.
    var remark: String?
    /// What is not as it should be, one sentence each.
    var problems: [String] = []

    /// Whether all is as it should be.
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

    /// The challenge, the steps and the requests, in lines of at most 80 columns; a row that could not be shown has none of them.
    func details() -> [String] {
        let plan = exchanges == 0 ? nil : ExchangePlan.of(row: method)
        let details = [
            LabelledText(label: "challenge", text: challenge), LabelledText(label: "steps", text: steps.joined(separator: ", ")),
            LabelledText(label: "requests", text: plan.map { "\(exchanges): \($0.text)" } ?? ""),
            LabelledText(label: "remark", text: remark ?? ""),
        ]
        return details.filter { !$0.text.isEmpty }.flatMap { $0.lines(textAt: 13) }
    }

    /// Compares the counts with what has to come out.
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
