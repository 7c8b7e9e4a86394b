// SPDX-License-Identifier: Apache-2.0

package import DataAbstract
package import Screens

/// A rule for the colours of rows: `Price > 100=red/black` is a condition, a colour of the text and one of the background.
package struct ColorRule: Hashable, Sendable {
    /// The condition of the rows.
    package let condition: Expression
    /// The colour of the text; nil for that of the terminal.
    package let text: ScreenColor?
    /// The colour of the background; nil for that of the terminal. One of both is set.
    package let background: ScreenColor?

    /// Parses `CONDITION=TEXT/BACKGROUND`, `CONDITION=TEXT` or `CONDITION=/BACKGROUND`. The last `=` is the separator.
    ///
    /// - Throws: any case of `ColorRuleError`.
    package init(parsing rule: String) throws(ColorRuleError) {
        let scalars = Array(rule.unicodeScalars)
        guard let separator = scalars.lastIndex(of: "=") else { throw .noColors(column: scalars.count + 1) }
        var colors: [ScreenColor?] = []
        var start = separator + 1
        for part in scalars[start...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false) {
            let name = String(String.UnicodeScalarView(part)).lowercased()
            let word = String(name.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            let color = ScreenColor(rawValue: word)
            if color == nil, !word.isEmpty { throw .unknownColor(word, column: start + 1) }
            colors.append(color)
            start = part.endIndex + 1
        }
        guard colors.contains(where: { $0 != nil }) else { throw .noColors(column: separator + 2) }
        (text, background) = (colors[0], colors.count > 1 ? colors[1] : nil)
        do throws(PredicateError) {
            condition = try Expression(predicate: String(String.UnicodeScalarView(scalars[..<separator])))
        } catch {
            throw .condition(error)
        }
    }
}

/// The reason why a rule cannot be parsed. Columns are counted in Unicode scalars of the rule from 1.
package enum ColorRuleError: Error, Hashable, Sendable {
    /// There is no `=` with a colour after it.
    case noColors(column: Int)
    /// The text, which is untrusted, is no colour.
    case unknownColor(String, column: Int)
    /// The columns of the error are those of the rule.
    case condition(PredicateError)
}

extension ColorRuleError: CustomStringConvertible {
    package var description: String {
        let names = ScreenColor.allCases.map(\.rawValue).joined(separator: ", ")
        return switch self {
        case .noColors(let column): "no colours at column \(column): expected CONDITION=TEXT/BACKGROUND with \(names)"
        case .unknownColor(let name, let column): "unknown colour '\(name)' at column \(column): expected \(names)"
        case .condition(let error): "\(error)"
        }
    }
}

/// Rules for the colours of rows, prepared for the fields of a table.
package struct ColorRules: Sendable {
    /// A rule that does not fit the fields of a table.
    package struct Misfit: Hashable, Sendable {
        /// The index of the rule.
        package let rule: Int
        /// Not `syntax` or `tooMany`.
        package let error: PredicateError
    }

    /// Rules that are not applied, for example because their fields are those of another table.
    package let misfits: [Misfit]
    private let rules: [(condition: CompiledPredicate, rule: ColorRule)]

    /// Prepares rules. The first one that matches a row has precedence.
    package init(_ rules: [ColorRule], fields: [DataColumn]) {
        var misfits: [Misfit] = []
        var compiled: [(condition: CompiledPredicate, rule: ColorRule)] = []
        for (index, rule) in rules.enumerated() {
            do throws(PredicateError) {
                compiled.append((try CompiledPredicate(rule.condition, fields: fields), rule))
            } catch {
                misfits.append(Misfit(rule: index, error: error))
            }
        }
        (self.rules, self.misfits) = (compiled, misfits)
    }

    /// Returns a style with the colours of a row.
    ///
    /// - Parameters:
    ///   - style: the style without rules.
    ///   - values: one for each field of the table.
    /// - Precondition: there are as many values as fields.
    package func style(_ style: ScreenStyle, of values: [DataValue]) -> ScreenStyle {
        guard let match = rules.first(where: { (try? $0.condition.matches(values)) == true }) else { return style }
        var style = style
        (style.text, style.background) = (match.rule.text ?? style.text, match.rule.background ?? style.background)
        return style
    }
}
