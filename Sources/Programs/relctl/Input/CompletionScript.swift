// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Completion script of a shell. It is the one that the argument parser generates, which knows only the names of verbs and
/// leaves names with ':', '=' and '@' to readline. The additions replace short names of verbs by their names, drop common
/// options before the verb, and in bash join the words that readline breaks.
struct CompletionScript {
    private static let option = "--generate-completion-script"

    private let shell: CompletionShell

    init(for shell: CompletionShell) {
        self.shell = shell
    }

    /// - Parameter arguments: those of the process.
    /// - Returns: nil unless they ask for the script of a shell that is known.
    init?(_ arguments: [String]) {
        let words = arguments.flatMap { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
        guard words.first ?? "" == Self.option, words.count <= 2 else { return nil }
        let named = words.count == 2 ? CompletionShell(rawValue: String(words[1])) : CompletionShell.autodetected()
        guard let named else { return nil }
        self.init(for: named)
    }

    var text: String {
        let text = Relctl.completionScript(for: shell)
        switch shell {
        case .bash: return Self.wrapped(text, in: Self.bash)
        case .zsh: return Self.wrapped(text, in: Self.zsh)
        default:
            return text.replacing("function __relctl_parse_tokens -S\n", with: Self.fish, maxReplacements: 1)
                .replacing(
                    "    set -l unparsed_tokens (__relctl_tokens -pc)\n",
                    with: "    set -l unparsed_tokens (__relctl_canonical (__relctl_tokens -pc))\n",
                    maxReplacements: 1
                )
        }
    }

    /// Renames the function that the shell calls, and puts another before it, which calls it.
    private static func wrapped(_ text: String, in function: String) -> String {
        text.replacing(
            "\n_relctl() {\n",
            with: "\n" + canonical + function + "\n__relctl_offer() {\n",
            maxReplacements: 1
        )
    }
}

extension CompletionScript {
    /// Command that has verbs.
    private struct Noun {
        /// The words that lead to it, each after a space.
        let path: String
        let aliases: [(alias: String, name: String)]
    }

    private static let nouns = tree(of: Relctl.self, at: "")

    private static func tree(of command: any ParsableCommand.Type, at path: String) -> [Noun] {
        let verbs = command.configuration.subcommands
        guard !verbs.isEmpty else { return [] }
        let aliases = verbs.flatMap { verb in verb.configuration.aliases.map { ($0, verb._commandName) } }
        return [Noun(path: path, aliases: aliases)]
            + verbs.flatMap { tree(of: $0, at: "\(path) \($0._commandName)") }
    }

    /// One line for each short name.
    private static func cases(_ line: (_ words: String, _ name: String) -> String) -> String {
        nouns.flatMap { noun in noun.aliases.map { line("\(noun.path) \($0.alias)", $0.name) } }
            .joined(separator: "\n")
    }

    private static func paths(separator: String) -> String {
        nouns.map { "'\($0.path)'" }.joined(separator: separator)
    }

    /// Functions that are the same in bash and zsh.
    private static let canonical = """
        # Whether these words, each after a space, lead to a noun, which is followed by a verb.
        __relctl_is_noun() {
            case "${1}" in
            \(paths(separator: "|"))) return 0 ;;
            *) return 1 ;;
            esac
        }

        # Sets `canonical` to the name of the verb that is typed as ${2} after the words ${1}.
        __relctl_canonical() {
            case "${1} ${2}" in
        \(cases { "    '\($0)') canonical='\($1)' ;;" })
            *) canonical="${2}" ;;
            esac
        }


        """

    private static let bash = #"""
        _relctl() {
            # readline breaks words at the characters of COMP_WORDBREAKS. Names may contain some of them.
            local -a joined=()
            local -i current=0 index
            local line="${COMP_LINE}" word before=''
            for index in "${!COMP_WORDS[@]}"; do
                word="${COMP_WORDS[index]}"
                [[ "${#joined[@]}" -gt 0 && "${line}" = [![:space:]]* ]] || joined+=('')
                while [[ "${line}" = [[:space:]]* ]]; do line="${line:1}"; done
                if [[ "${index}" -eq "${COMP_CWORD}" ]]; then
                    current="${#joined[@]}-1"
                    before="${joined[current]}"
                    [[ -z "${2}" && -z "${word//["${COMP_WORDBREAKS}"]}" ]] && before+="${word}"
                fi
                joined[-1]+="${word}"
                line="${line#"${word}"}"
            done
            # readline takes the '@' into the word.
            [[ "${2}" = @* ]] && before="${before%@}"
            local cur="${before}${2}"
            if [[ "${before}" = --*=* ]]; then
                # The value of an option.
                joined=("${joined[@]::current}" "${cur%%=*}" "${cur#*=}")
                current+=1
                before="${before#*=}"
                cur="${cur#*=}"
            fi
            local verb='' canonical
            for ((index = 1; index < current; index++)); do
                [[ "${joined[index]}" = -* ]] && continue
                __relctl_is_noun "${verb}" || break
                __relctl_canonical "${verb}" "${joined[index]}"
                joined[index]="${canonical}"
                verb+=" ${canonical}"
            done
            local -a COMP_WORDS=("${joined[@]}")
            local COMP_CWORD="${current}"
            __relctl_offer "${joined[0]}" "${cur}" "${joined[current > 0 ? current - 1 : 0]}"
            # readline replaces only the text after the last break.
            before="${before//\\}"
            [[ -z "${before}" ]] || COMPREPLY=("${COMPREPLY[@]#"${before}"}")
        }

        """#

    private static let zsh = #"""
        _relctl() {
            local verb='' canonical
            local -i index
            while [[ "${CURRENT}" -gt 2 && "${words[2]}" = (--json|-q|--quiet) ]]; do
                words[2]=()
                ((CURRENT -= 1))
            done
            for ((index = 2; index < CURRENT; index++)); do
                [[ "${words[index]}" = -* ]] && continue
                __relctl_is_noun "${verb}" || break
                __relctl_canonical "${verb}" "${words[index]}"
                words[index]="${canonical}"
                verb+=" ${canonical}"
            done
            __relctl_offer "${@}"
        }

        """#

    private static let fish = """
        # Prints the tokens with the names of verbs instead of their short names.
        function __relctl_canonical
            set -l verb ''
            set -l is_path 1
            printf '%s\\n' $argv[1]
            for token in $argv[2..]
                if test $is_path = 1; and not string match -q -- '-*' $token
                    switch "$verb"
                    case \(paths(separator: " "))
                        switch "$verb $token"
        \(cases { "                case '\($0)'\n                    set token '\($1)'" })
                        end
                        set verb "$verb $token"
                    case '*'
                        set is_path 0
                    end
                end
                test -z "$verb"; and contains -- $token --json -q --quiet; or printf '%s\\n' $token
            end
        end

        function __relctl_parse_tokens -S

        """
}
