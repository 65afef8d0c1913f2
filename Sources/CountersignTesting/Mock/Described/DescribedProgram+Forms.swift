import Countersign

// Texts that steps take apart, or derive keys with, need the form that the steps expect.

extension DescribedProgram {
    /// Returns a text of the form that the steps expect of a slot; `nil` if they accept any text.
    func formedText(of slot: Int) -> String? { dividedText(of: slot) ?? derivationText(of: slot) }

    /// Returns a text with all parts that steps take from it; `nil` if they take none.
    private func dividedText(of slot: Int) -> String? {
        var text = ""
        var parts: [Int: String] = [:]
        for (target, function) in functions {
            guard case .part(let part) = function, part.text.loneSlot == slot, target != slot else { continue }
            if let start = part.start {
                guard let mark = plain(start, parts) else { continue }
                if !text.hasSuffix(mark) { text += mark }
            }
            let value = formedText(of: target) ?? Token.make()
            parts[target] = value
            text += value
            if let end = part.end { text += plain(end, parts) ?? "" }
        }
        return parts.isEmpty ? nil : text
    }

    /// Returns a number of iterations, or a salt that is valid in each encoding; `nil` if no key is derived with the slot.
    private func derivationText(of slot: Int) -> String? {
        for (_, function) in functions {
            guard case .derive(let derivation) = function else { continue }
            if derivation.iterations.loneSlot == slot { return "1000" }
            // Its length is a multiple of 4, so it is Base64, too.
            if derivation.salt.loneSlot == slot, derivation.saltEncoding != .text { return Token.make() }
        }
        return nil
    }
}
