// SPDX-License-Identifier: Apache-2.0

import Configuration
import Glibc
import Platform

/// `relativityd --check`: reads what a start would read, and starts nothing.
struct StartCheck {
    let options: DaemonOptions
    let environment: Environment

    /// - Returns: the exit status: 0, or 1 where a start would leave out files of the administrator's.
    /// - Throws: `StartError` or `PlatformError`: why there would be no start.
    func run() throws -> Int32 {
        _ = try ConfigurationFile(environment: environment, path: options.config).load()
        _ = try Directories(environment).runtime()
        let place = options.endpoints
        let problems = AdministratorsServers(directory: place.directory, isNamed: place.isNamed).problems
        for problem in problems { Main.write("\(problem)\n", to: STDOUT_FILENO) }
        return problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE
    }
}
