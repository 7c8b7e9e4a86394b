// SPDX-License-Identifier: Apache-2.0
#include "CTOML.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

// The parser of toml++ 3.3.0 asserts conditions that a file can violate, for example that a table header begins with
// a key, and checks them afterwards. With NDEBUG it would pass these assertions to the optimiser as facts.
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_ENABLE_WINDOWS_COMPAT 0
#include <toml++/toml.h>

struct relt_document {
    toml::table root;
    std::vector<relt_value> values;
};

namespace {

void report(relt_fault &fault, const toml::source_position &position, std::string_view reason) {
    fault.line = static_cast<uint32_t>(position.line);
    fault.column = static_cast<uint32_t>(position.column);
    const auto size = std::min(reason.size(), sizeof fault.reason - 1);
    std::memcpy(fault.reason, reason.data(), size);
    fault.reason[size] = 0;
}

void append(std::vector<relt_value> &values, const toml::node &node, std::string_view key) {
    const auto place = values.size();
    values.push_back({});
    const auto begin = node.source().begin;
    relt_value value{};
    value.line = static_cast<uint32_t>(begin.line);
    value.column = static_cast<uint32_t>(begin.column);
    value.key = key.data();
    value.key_size = key.size();
    switch (node.type()) {
    case toml::node_type::table:
        value.kind = relt_table;
        for (const auto &[name, member] : *node.as_table()) {
            append(values, member, name.str());
            value.count += 1;
        }
        break;
    case toml::node_type::array:
        value.kind = relt_array;
        for (const auto &element : *node.as_array()) {
            append(values, element, {});
            value.count += 1;
        }
        break;
    case toml::node_type::string: {
        const std::string &text = node.as_string()->get();
        value.kind = relt_string;
        value.text = text.data();
        value.text_size = text.size();
        break;
    }
    case toml::node_type::integer:
        value.kind = relt_integer;
        value.integer = node.as_integer()->get();
        break;
    case toml::node_type::floating_point:
        value.kind = relt_float;
        value.number = node.as_floating_point()->get();
        break;
    case toml::node_type::boolean:
        value.kind = relt_boolean;
        value.integer = node.as_boolean()->get() ? 1 : 0;
        break;
    default: value.kind = relt_moment;
    }
    values[place] = value;
}

} // namespace

relt_document *relt_parse(const char *text, size_t size, relt_fault *fault) {
    try {
        auto result = toml::parse(std::string_view(text, size));
        if (!result) {
            const auto &error = result.error();
            report(*fault, error.source().begin, error.description());
            return nullptr;
        }
        auto *document = new relt_document{std::move(result).table(), {}};
        try {
            append(document->values, document->root, {});
        } catch (...) {
            delete document;
            throw;
        }
        return document;
    } catch (...) {
        report(*fault, {}, "it needs more memory than there is");
        return nullptr;
    }
}

const relt_value *relt_values(const relt_document *document, size_t *count) {
    *count = document->values.size();
    return document->values.data();
}

void relt_free(relt_document *document) { delete document; }
