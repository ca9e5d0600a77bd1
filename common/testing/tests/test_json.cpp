// Tests the writer of JSON that results and findings share.
#include <vector>

#include "testing/catch.h"
#include "text/json.h"

TEST_CASE("a text as JSON is escaped, and bytes that are no UTF-8 are replaced") {
    CHECK(json::value("a\"\\\n\tb") == "\"a\\\"\\\\\\n\\u0009b\"");
    CHECK(json::value("\xc3\xa4 \xff \xc0\x80") == "\"\xc3\xa4 \\ufffd \\ufffd\\ufffd\"");
}

TEST_CASE("an object as JSON keeps the order of its members, and nests") {
    json::Object inner, outer;
    inner.add("n", 7U);
    outer.add("z", true).add("a", std::vector<json::Object>{inner, {}}).add("name", "x");
    CHECK(outer.text() == "{\"z\":true,\"a\":[{\"n\":7},{}],\"name\":\"x\"}");
}
