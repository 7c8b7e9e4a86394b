// SPDX-License-Identifier: Apache-2.0

import DataAbstract
import Documents
import JSON
import NIOCore
import Remoting

/// The form of the description of the services.
package enum DescriptionForm: String, Sendable, CaseIterable {
    /// RODL 3.
    case xml
    /// RODL 4.
    case json
}

/// The description of the server's services, a RODL: the library DataAbstract4 of the vendor, and the services that are
/// descendants of it.
struct ServiceDescription {
    /// The identity of the vendor's library.
    private static let dataAbstract = "{DC8B7BE2-14AF-402D-B1F8-E1008B6FA4F6}"

    private let library: JSONObject

    init(of catalog: ServedCatalog) {
        var services: [JSONValue] = ServiceCatalog.services.map { service in
            Self.inherited(service.name, ancestor: service.ancestor, ["Operations": Self.operations(service.methods)])
        }
        services.append(["Name": "LoginService", "Ancestor": "MultiDbLoginServiceV5"])
        services.append(["Name": "DataService", "Ancestor": "DataAbstractService"])
        if let open = catalog.openService {
            let announce = MethodSignature("Announce", SampleEvents.parameters)
            services.append([
                "Name": .string(open.name), "Ancestor": "DataAbstractService",
                "Operations": Self.operations([announce]),
            ])
        }
        let announced = MethodSignature(SampleEvents.announced, SampleEvents.parameters)
        library = [
            "Version": "4.0", "Name": "RelativitySampleServer",
            "Uses": [
                [
                    "Name": "DataAbstract4", "UsedRodlID": .string(Self.dataAbstract), "Rodl": "DataAbstract4.RODL",
                    "DontCodeGen": true,
                ]
            ],
            "EventSinks": [["Name": .string(SampleEvents.sink), "Operations": Self.operations([announced])]],
            "Structs": .array(
                ServiceCatalog.declaredStructs.map { declared in
                    Self.inherited(
                        declared.name,
                        ancestor: declared.ancestor,
                        ["Elements": Self.fields(declared.fields)]
                    )
                }
            ),
            "Enums": .array(Self.enums), "Arrays": .array(Self.arrays), "Services": .array(services),
        ]
    }

    /// The document.
    func text(in form: DescriptionForm) -> (text: String, contentType: String) {
        switch form {
        case .json: (String(decoding: JSONValue.object(library).serialized(), as: UTF8.self), "application/json")
        case .xml:
            ("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + Self.xml("Library", library) + "\n", "text/xml")
        }
    }

    /// An entity of the vendor's library.
    private static func inherited(_ name: String, ancestor: String? = nil, _ members: JSONObject) -> JSONValue {
        var object: JSONObject = ["Name": .string(name), "FromUsedRodlID": .string(dataAbstract)]
        object["Ancestor"] = ancestor.map { .string($0) }
        for (key, value) in members { object[key] = value }
        return .object(object)
    }

    private static func operations(_ methods: [MethodSignature]) -> JSONValue {
        .array(
            methods.map { method in
                let results = method.results.map { ($0, $0.name == "Result" ? "result" : "out") }
                let parameters = (method.parameters.map { ($0, "in") } + results).map { declared, flag in
                    JSONValue.object([
                        "Name": .string(declared.name), "Flag": .string(flag),
                        "DataType": .string(RODLTypes.name(of: declared.type)),
                    ])
                }
                return ["Name": .string(method.name), "Parameters": .array(parameters)]
            }
        )
    }

    private static func fields(_ fields: [NamedType]) -> JSONValue {
        .array(fields.map { ["Name": .string($0.name), "DataType": .string(RODLTypes.name(of: $0.type))] })
    }

    private static var enums: [JSONValue] {
        ServiceCatalog.types.compactMap { name, type in
            guard case .enumeration(let names) = type else { return nil }
            return inherited(name, ["Values": .array(names.map { ["Name": .string($0)] })])
        }
    }

    private static var arrays: [JSONValue] {
        ServiceCatalog.types.compactMap { name, type in
            guard case .array(let element) = type else { return nil }
            return inherited(name, ["DataType": .string(RODLTypes.name(of: element))])
        }
    }

    // MARK: XML

    /// The names of the elements for the objects in an array, by the array's name.
    private static let elements = [
        "Uses": "Use", "EventSinks": "EventSink", "Structs": "Struct", "Elements": "Element", "Enums": "Enum",
        "Values": "EnumValue", "Arrays": "Array", "Services": "Service", "Operations": "Operation",
        "Parameters": "Parameter",
    ]

    private static func xml(_ name: String, _ object: JSONObject) -> String {
        var (attributes, children) = ("", "")
        for (key, value) in object {
            if let child = elements[key], let objects = value.arrayValue {
                children += collection(key, objects.compactMap(\.objectValue).map { xml(child, $0) }.joined())
            } else if name == "Array", key == "DataType" {
                children += "<ElementType\(attribute(key, value))/>"
            } else {
                attributes += attribute(key, value)
            }
        }
        return children.isEmpty ? "<\(name)\(attributes)/>" : "<\(name)\(attributes)>\(children)</\(name)>"
    }

    private static func collection(_ name: String, _ content: String) -> String {
        switch name {
        case "Values": "<EnumValues>\(content)</EnumValues>"
        case "Operations":
            "<Interfaces><Interface Name=\"Default\"><Operations>\(content)</Operations></Interface></Interfaces>"
        default: "<\(name)>\(content)</\(name)>"
        }
    }

    /// Identities have another name in XML, flags are numbers, and the version is that of the form.
    private static func attribute(_ name: String, _ value: JSONValue) -> String {
        let text = name == "Version" ? "3.0" : value.stringValue ?? (value == .bool(true) ? "1" : "0")
        let name = name.hasSuffix("ID") ? name.dropLast(2) + "UID" : name[...]
        return " \(name)=\"\(XMLText.escaped(text, inAttribute: true))\""
    }
}
