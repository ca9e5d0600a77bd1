// Tests that nothing in a report is wider than a terminal.
#include "testing/catch.h"
#include "testing/paragraphs.h"

using testing::headline;

TEST_CASE("a test's name that fits after its mark stays one line") {
    const std::string name = std::string(60, 'a') + " " + std::string(13, 'b');
    CHECK(headline(name) == name);
}

TEST_CASE("a test's name that is too long goes on below, in its own column") {
    const std::string first(60, 'a'), second(14, 'b'), third(70, 'c');
    CHECK(headline(first + " " + second + " " + third) ==
          first + "\n      " + second + "\n      " + third);
}

TEST_CASE("a word that no line would hold is not broken") {
    const std::string word(90, 'a');
    CHECK(headline(word) == word);
    CHECK(headline(word + " b") == word + "\n      b");
}
