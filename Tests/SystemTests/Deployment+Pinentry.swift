// SPDX-License-Identifier: Apache-2.0

import TestSupport

extension Deployment {
    /// Configures a pinentry that knows the answers and records its input. Call it before the daemon starts.
    ///
    /// - Parameters:
    ///   - agent: the key `prompts.agent`.
    ///   - agrees: whether it agrees to questions. Otherwise the user closes them.
    func configurePinentry(agent: String = "auto", agrees: Bool = true) {
        let script = """
            #!/bin/sh
            echo OK
            while read -r line; do
                printf '%s\\n' "$line" >> '\(home.path(of: "said"))'
                case $line in
                    'SETPROMPT Passphrase'*) answer='\(Self.passphrase)' ;;
                    'SETPROMPT Password'*) answer=simple ;;
                    GETPIN) echo "D $answer" ;;
                    CONFIRM) if \(!agrees); then echo 'ERR 83886179 cancelled'; continue; fi ;;
                esac
                echo OK
            done
            """
        home.write(Array(script.utf8), to: "pinentry", mode: 0o700)
        let configuration = """
            [probe]
            mode = "off"
            [prompts]
            agent = "\(agent)"
            pinentry = "\(home.path(of: "pinentry"))"

            """
        home.write(Array(configuration.utf8), to: "config/relativityd/relativityd.toml")
    }

    /// The lines that the pinentry has received.
    var said: [Substring] { TextFile.text(of: home.path(of: "said")).split(separator: "\n") }
}
