/// A provider whose configuration may have come in before it is asked for.
protocol TimedConfigurationProviding: ConfigurationProviding {
    /// Gives a configuration as ``ConfigurationProviding/provideConfiguration(input:)`` does, and when it came in; `nil` for just now.
    func provideTimedConfiguration(input: [String: Any]) -> (answer: ConfigurationAnswer, arrival: Arrival?)
}
