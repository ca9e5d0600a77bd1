// Findings for programs: one JSON object (RFC 8259), without line breaks.
#include <cstdio>

#include "simulator/core/finding.h"

namespace cusim {
namespace {

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char code[8];
            std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
            out += code;
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string triple(const uint3& index) {
    return "[" + std::to_string(index.x) + "," + std::to_string(index.y) + "," +
           std::to_string(index.z) + "]";
}

}  // namespace

std::string json(const Finding& finding) {
    std::string out = "{\"kind\":" + quoted(finding.kind) + ",\"title\":" + quoted(finding.title) +
                      ",\"file\":" + quoted(finding.file) +
                      ",\"line\":" + std::to_string(finding.line) +
                      ",\"count\":" + std::to_string(finding.count);
    if (!finding.kernel.empty()) out += ",\"kernel\":" + quoted(finding.kernel);
    if (finding.inThread)
        out += ",\"thread\":" + triple(finding.thread) + ",\"block\":" + triple(finding.block);
    out += ",\"details\":[";
    for (std::size_t i = 0; i < finding.details.size(); ++i)
        out += (i == 0 ? "" : ",") + quoted(finding.details[i]);
    return out + "],\"remedy\":" + quoted(finding.remedy) + "}";
}

}  // namespace cusim
