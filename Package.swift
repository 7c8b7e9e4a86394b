// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

/// The sanitizer that `make sanitize` builds the tests for: `address` or `thread`.
let sanitizer = Context.environment["RELATIVITYD_SANITIZE"]

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// Every target may use a `Lock`, like the standard library.
let locks: [Target.Dependency] = ["Locks"]

/// A module in a folder of `Sources`. Its dependencies are the arrows of ARCHITECTURE.md and point down only.
func module(
    _ name: String,
    in folder: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: locks + dependencies,
        path: "Sources/\(folder)/\(name)",
        resources: resources,
        swiftSettings: strict
    )
}

/// Resolves every function when a program starts. The resolver of lazy binding saves the vector registers on the stack, and
/// with them the secret that was copied last.
let bindNow: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]

/// The compiler has a program export every symbol. Nobody looks them up, and their table is 2 MB that each start maps.
let exportNothing: [LinkerSetting] = [.unsafeFlags(["-Xlinker", "--no-export-dynamic"])]

/// Where `make release` gives the linker libstdc++ and the unwinder of libgcc as archives only, so that programs contain
/// what they use of them. Loading and relocating the shared ones is a fifth of the start of relctl. Swift's runtime for debug
/// builds loads the shared ones, which must not be there twice.
let containRuntime: [LinkerSetting] = [
    .unsafeFlags(["-L", "\(Context.packageDirectory)/.build/static"], .when(configuration: .release))
]

func program(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name,
        dependencies: locks + dependencies,
        path: "Sources/\(folder)/\(name)",
        swiftSettings: strict,
        linkerSettings: bindNow + exportNothing + containRuntime
    )
}

/// Tests with sockets, processes, threads, a daemon, root or what a whole process shares: `make test` has them.
let hasSystemTests = Context.environment["RELATIVITYD_SYSTEM_TESTS"] == "1"

/// - Parameter system: the target has a folder System, of such tests.
func tests(
    of name: String,
    _ dependencies: [Target.Dependency] = [],
    resources: [Resource]? = nil,
    system: Bool = false
) -> Target {
    .testTarget(
        name: "\(name)Tests",
        dependencies: [.init(stringLiteral: name), "TestSupport"] + locks + dependencies,
        exclude: system && !hasSystemTests ? ["System"] : [],
        resources: resources,
        swiftSettings: strict
    )
}

let package = Package(
    name: "relativityd",
    products: [
        .executable(name: "relativityd", targets: ["relativityd"]),
        .executable(name: "relativityd-secret-service", targets: ["relativityd-secret-service"]),
        .executable(name: "relativityd-data", targets: ["relativityd-data"]),
        .executable(name: "relctl", targets: ["relctl"]),
        .executable(name: "relativity-sample-server", targets: ["relativity-sample-server"]),
        .executable(name: "varlink-generate", targets: ["varlink-generate"]),
        .library(name: "Varlink", targets: ["Varlink", "VarlinkService", "JSON"]),
        .library(name: "LocalAPI", targets: ["LocalAPI", "Endpoints"]),
        .library(name: "DataAbstract", targets: ["DataAbstract", "Services", "JSON"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // 0 and 1: values, Linux, C
        .target(
            name: "Locks",
            path: "Sources/Base/Locks",
            swiftSettings: strict + (sanitizer == "thread" ? [.define("SANITIZE_THREAD")] : [])
        ),
        module("JSON", in: "Base"),
        module("Endpoints", in: "Base", ["JSON"]),
        .systemLibrary(name: "CAvahi", path: "Sources/System/CAvahi"),
        .systemLibrary(
            name: "CDBus",
            path: "Sources/System/CDBus",
            pkgConfig: "dbus-1",
            providers: [.apt(["libdbus-1-dev"])]
        ),
        .systemLibrary(name: "CLibCrypto", path: "Sources/System/CLibCrypto"),
        // SwiftPM warns that it leaves out the -pthread of GLib's pkg-config file, which nothing here needs.
        .systemLibrary(name: "CSecret", path: "Sources/System/CSecret", pkgConfig: "libsecret-1"),
        .systemLibrary(name: "CExpat", path: "Sources/System/CExpat"),
        .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),
        .target(name: "CLinux", path: "Sources/System/CLinux"),
        .target(name: "CSQLite", path: "Sources/System/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        // toml++ of Debian's libtomlplusplus-dev, compiled into this target.
        .target(name: "CTOML", path: "Sources/System/CTOML"),
        module("Platform", in: "Base", ["CLinux"]),
        module("Documents", in: "Base", ["CTOML", "CExpat"]),
        module("EventLoops", in: "Base", [nioCore, nioPosix]),

        // 2: one outside world each
        module(
            "Discovery",
            in: "Core",
            [
                "EventLoops", "Endpoints", "Platform", "JSON", "CAvahi", "CDBus", nioCore, nioPosix, nioHTTP1, nioSSL,
            ]
        ),
        module("Screens", in: "Base", ["Endpoints", "Platform"]),
        module("SQLite", in: "Base", ["Platform", "CSQLite"]),
        module(
            "Remoting",
            in: "Relativity",
            ["EventLoops", "JSON", "Platform", "CZlib", "CLibCrypto", nioCore, nioPosix, nioHTTP1, nioTLS, nioSSL]
        ),
        module("Prompts", in: "Core", ["EventLoops", "Endpoints", "Platform", "CLinux", nioCore]),
        module("Varlink", in: "Varlink", ["JSON"], resources: [.embedInCode("Interfaces")]),
        module("VarlinkService", in: "Varlink", ["Varlink", "JSON", nioCore, nioPosix, nioHTTP1, logging]),

        // 3: what we know
        module("Configuration", in: "Core", ["Discovery", "Prompts", "Endpoints", "Platform", "Documents"]),
        module("Registry", in: "Core", ["EventLoops", "Endpoints", "Platform", "JSON", nioCore, nioPosix, logging]),
        module(
            "Credentials",
            in: "Core",
            [
                "EventLoops", "Endpoints", "Platform", "Varlink", "JSON", "CLibCrypto", "CLinux",
                nioCore, nioPosix,
            ]
        ),
        module("Services", in: "Relativity", ["EventLoops", "Remoting", "JSON", "Documents", "Platform", nioCore]),
        module(
            "DataAbstract",
            in: "Relativity",
            ["Services", "EventLoops", "Remoting", "JSON", "Documents", "Platform", nioCore, nioPosix]
        ),
        module("LocalAPI", in: "API", ["Varlink", "JSON", "Endpoints"], resources: [.embedInCode("Interfaces")]),

        // 4 and 5: sessions, and the doors
        module(
            "DataAccess",
            in: "Relativity",
            ["DataAbstract", "Remoting", "JSON", "Platform", "Endpoints", "SQLite", "Documents", nioCore]
        ),
        module(
            "TableBrowser",
            in: "Relativity",
            ["DataAbstract", "DataAccess", "LocalAPI", "Endpoints", "Platform", "Screens", nioCore]
        ),
        module(
            "Broker",
            in: "Core",
            [
                "EventLoops",
                "Endpoints", "Platform", "Prompts", "Registry", "Credentials", "Remoting", "Services", nioCore,
                nioPosix, nioHTTP1, logging,
            ]
        ),
        module(
            "LocalAPIServer",
            in: "API",
            [
                "EventLoops", "VarlinkService",
                "LocalAPI", "Varlink", "JSON", "Endpoints", "Platform", "Registry", "Documents", "Credentials",
                "Services", "Broker", nioCore, logging,
            ]
        ),
        module(
            "SampleServer",
            in: "Relativity",
            [
                "EventLoops",
                "Remoting", "DataAbstract", "JSON", "Platform", "Endpoints", "Discovery", "SQLite", "Documents",
                nioCore, nioPosix, logging,
            ]
        ),

        // 6: programs
        program(
            "relativityd",
            in: "Programs",
            [
                "VarlinkService", "EventLoops",
                "Configuration", "Discovery", "Prompts", "Registry",
                "Credentials",
                "Broker", "LocalAPI", "LocalAPIServer", "Platform", "Endpoints", "Varlink", "JSON", "CDBus", nioCore,
                nioPosix, logging,
            ]
        ),
        program("relativityd-secret-service", in: "Programs", ["Platform", "CSecret"]),
        program(
            "relativityd-data",
            in: "Programs",
            [
                "VarlinkService", "EventLoops", "TableBrowser", "DataAccess", "DataAbstract", "Remoting",
                "LocalAPI", "Varlink", "JSON", "Screens", "Endpoints", "Platform", nioCore, nioPosix, logging,
            ]
        ),
        program(
            "relctl",
            in: "Programs",
            ["LocalAPI", "Varlink", "JSON", "Endpoints", "Platform", "Screens", argumentParser]
        ),
        program("varlink-generate", in: "Varlink", ["Varlink", argumentParser]),
        program(
            "relativity-sample-server",
            in: "Programs",
            [
                "EventLoops", "SampleServer", "DataAbstract", "JSON", "Platform", nioCore, nioPosix, logging,
                argumentParser,
            ]
        ),

        // Tests
        .target(
            name: "TestSupport",
            dependencies: [
                "Locks", "EventLoops", "Endpoints", "Platform", "CLinux", nioCore, nioPosix, nioSSL, logging,
            ],
            path: "Tests/TestSupport",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "discovery-probe",
            dependencies: ["Locks", "Discovery", "Endpoints", "TestSupport"],
            path: "Tests/Tools/discovery-probe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "vault-probe",
            dependencies: ["Credentials", "Endpoints", "EventLoops", "Platform", nioCore, nioPosix],
            path: "Tests/Tools/vault-probe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "wire-probe",
            dependencies: ["Remoting", nioCore],
            path: "Tests/Tools/wire-probe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "table-probe",
            dependencies: ["DataAbstract", "DataAccess", "Locks", nioCore],
            path: "Tests/Tools/table-probe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "registry-probe",
            dependencies: ["Registry", "Endpoints", "EventLoops", nioCore, nioPosix],
            path: "Tests/Tools/registry-probe",
            swiftSettings: strict
        ),
        .target(
            name: "RandomRuns",
            dependencies: [
                "DataAbstract", "DataAccess", "JSON", "Locks", "Platform", "Remoting", "SQLite", "SampleServer",
                "TestSupport", nioCore, nioPosix, logging,
            ],
            path: "Tests/RandomRuns",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "random-probe",
            dependencies: ["RandomRuns"],
            path: "Tests/Tools/random-probe",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "format-probe",
            dependencies: ["Credentials", "Endpoints", "Platform"],
            path: "Tests/Tools/format-probe",
            swiftSettings: strict,
            linkerSettings: bindNow
        ),
        .executableTarget(
            name: "example-servers",
            dependencies: ["LocalAPI", "Varlink", "JSON"],
            path: "docs/examples/swift",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "pctrade-mobile",
            dependencies: ["LocalAPI", "DataAbstract", "JSON"],
            path: "docs/examples/pctrade-mobile",
            swiftSettings: strict
        ),
        tests(of: "Screens"),
        tests(of: "TableBrowser", ["DataAbstract", "DataAccess", "Endpoints", "Screens", nioCore]),
        tests(of: "Endpoints"),
        tests(of: "JSON", ["RandomRuns"]),
        tests(of: "Platform", ["CLinux", nioCore, nioPosix], system: true),
        tests(
            of: "Discovery",
            ["EventLoops", "Endpoints", "Platform", "JSON", "discovery-probe", nioCore, nioPosix, logging],
            system: true
        ),
        tests(of: "Prompts", ["Platform", "EventLoops", nioCore, nioPosix], system: true),
        tests(
            of: "Remoting",
            ["Platform", "CZlib", "JSON", nioCore, nioPosix, nioHTTP1, nioSSL, nioEmbedded, logging],
            resources: [.copy("Vectors")],
            system: true
        ),
        tests(
            of: "Varlink",
            ["VarlinkService", "JSON", "varlink-generate", nioCore, nioPosix, nioEmbedded, logging],
            system: true
        ),
        tests(of: "Configuration", ["Discovery", "Prompts", "Endpoints", "Platform"], system: true),
        tests(of: "Documents"),
        tests(of: "SQLite", ["Platform"]),
        tests(of: "Registry", ["Endpoints", "Platform", "JSON", nioCore, nioPosix, logging], system: true),
        tests(
            of: "Credentials",
            [
                "Endpoints", "Platform", "CLinux", "CLibCrypto", "Varlink", "JSON",
                "relativityd-secret-service", "format-probe", nioCore, nioPosix, logging,
            ],
            resources: [.copy("Vectors")],
            system: true
        ),
        tests(of: "Services", ["Endpoints", "JSON", "Remoting", "Platform", nioCore], system: true),
        tests(
            of: "DataAbstract",
            ["RandomRuns", "Remoting", "JSON", "Platform", "random-probe", nioCore, nioPosix, logging],
            system: true
        ),
        tests(
            of: "DataAccess",
            [
                "DataAbstract", "Remoting", "SampleServer", "RandomRuns", "JSON", "Platform", "SQLite", "EventLoops",
                "table-probe", nioCore, nioPosix, logging,
            ],
            system: true
        ),
        tests(of: "LocalAPI", ["Varlink", "JSON", "Endpoints", "varlink-generate"]),
        tests(
            of: "LocalAPIServer",
            [
                "LocalAPI", "Varlink", "VarlinkService", "EventLoops", "JSON", "Broker", "Credentials", "Endpoints",
                "Prompts",
                "Registry",
                nioCore, nioPosix,
            ],
            system: true
        ),
        tests(
            of: "Broker",
            [
                "EventLoops", "Endpoints", "Platform", "Prompts", "Registry", "Credentials", "Remoting", "DataAbstract",
                "SampleServer", nioCore, nioPosix, nioHTTP1, nioEmbedded, nioSSL, logging,
            ],
            system: true
        ),
        tests(
            of: "SampleServer",
            [
                "Remoting", "DataAbstract", "JSON", "Platform", "SQLite", "relativity-sample-server", nioCore, nioPosix,
                logging,
            ]
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "Locks", "Credentials", "Endpoints", "EventLoops", "Platform", "TestSupport", "vault-probe", nioCore,
                nioPosix,
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "TestSupport", "Locks", "JSON", "Platform", "Endpoints", "Registry", "Varlink", "DataAbstract",
                "LocalAPI", "LocalAPIServer", "relativityd", "relativityd-secret-service", "relativityd-data", "relctl",
                "relativity-sample-server", "example-servers", "pctrade-mobile", "random-probe", "Screens",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BoundaryTests",
            dependencies: ["TestSupport", "JSON", "relativityd", "relctl"],
            swiftSettings: strict
        ),
    ],
    cxxLanguageStandard: .cxx17
)

if !hasSystemTests {
    package.targets.removeAll { ["CrashTests", "SampleServerTests", "SystemTests"].contains($0.name) }
}

/// Removes all targets but these and those that they need, so that `swift build` compiles nothing else.
@MainActor
func keepOnly(_ targets: [String]) {
    var needed: Set<String> = []
    var unseen = targets
    while let name = unseen.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        unseen += target.dependencies.compactMap {
            switch $0 {
            case .targetItem(let name, _), .byNameItem(let name, _): name
            default: nil
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}

// `make fuzz`: libFuzzer drives the parsers of outside bytes. Apart from everything else, because every target that it
// reaches is built for it.
if let fuzz = Context.environment["RELATIVITYD_FUZZ"], !fuzz.isEmpty {
    let parsers: [(name: String, modules: [Target.Dependency])] = [
        ("json", ["JSON", "Varlink"]),
        ("frame", ["VarlinkService", "Varlink", "JSON", "Locks", nioCore, nioEmbedded, logging]),
        ("message", ["Remoting", "DataAbstract", nioCore]),
        ("reply", ["Remoting", "DataAbstract", "JSON", nioCore]),
        ("table", ["DataAbstract", nioCore]),
        ("delta", ["DataAbstract", nioCore]),
        ("schema", ["DataAbstract"]),
        ("pending", ["DataAbstract", "Platform", nioCore]),
        ("briefcase", ["DataAbstract", nioCore]),
        ("import", ["DataAccess"]),
        ("rodl", ["DataAbstract"]),
        ("where", ["DataAbstract"]),
        ("predicate", ["DataAbstract"]),
        ("expression", ["DataAbstract"]),
        ("query", ["SampleServer", "DataAbstract", "Remoting", "SQLite"]),
        ("vault", ["Credentials", "Platform"]),
        ("payload", ["Credentials", "Platform"]),
        ("text", ["Configuration"]),
        ("dns", ["Discovery"]),
        ("announcement", ["Endpoints", "JSON"]),
        ("url", ["Endpoints"]),
        ("client", ["Documents"]),
        ("keys", ["Screens"]),
        ("etcd", ["Discovery"]),
    ]
    // The programs of `scripts/fuzz.sh 0`, which read the known inputs, have no libFuzzer.
    let hasLibFuzzer = fuzz == "1"
    if hasLibFuzzer { package.targets.append(.systemLibrary(name: "CFuzzer", path: "Fuzz/CFuzzer")) }
    package.targets.append(
        .target(
            name: "Fuzzing",
            dependencies: hasLibFuzzer ? ["CFuzzer"] : [],
            path: "Fuzz/Fuzzing",
            swiftSettings: hasLibFuzzer ? [.define("LIBFUZZER")] : []
        )
    )
    package.targets += parsers.map { parser in
        .executableTarget(
            name: "fuzz-\(parser.name)",
            dependencies: parser.modules + ["Fuzzing"],
            path: "Fuzz/\(parser.name)",
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    }
    keepOnly(parsers.map { "fuzz-\($0.name)" })
}

// `make unit MODULE=NAME`: the tests of one module.
if let module = Context.environment["RELATIVITYD_MODULE"], !module.isEmpty {
    keepOnly(["\(module)Tests"])
}

// `make sanitize`: for AddressSanitizer only the tests of the modules that read outside bytes, for ThreadSanitizer those of
// the modules with state that several threads share.
if let sanitizer {
    let sanitized: [String: Set<String>] = [
        "address": [
            "ConfigurationTests", "DataAbstractTests", "DataAccessTests", "DiscoveryTests", "DocumentsTests",
            "EndpointsTests", "JSONTests",
            "RemotingTests", "ServicesTests", "VarlinkTests",
        ],
        // Not those of Broker, which passes a SystemRandomNumberGenerator inout. It has no size, so no address, and the code
        // that the compiler adds for ThreadSanitizer crashes on it.
        "thread": [
            "CredentialsTests", "DataAbstractTests", "DiscoveryTests", "EndpointsTests", "LocalAPIServerTests",
            "PlatformTests", "PromptsTests", "RegistryTests", "RemotingTests", "VarlinkTests",
        ],
    ]
    package.targets.removeAll { $0.type == .test && sanitized[sanitizer]?.contains($0.name) != true }
}
