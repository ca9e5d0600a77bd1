#include "harness/command_line.h"

#include "matrix/input_error.h"

namespace harness {
namespace {

using matrix::InputError;

class Parser {
  public:
    explicit Parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

    CommandLine parse() {
        while (next_ < arguments_.size()) take(arguments_[next_++]);
        if (!line_.help) checkTogether();
        return line_;
    }

  private:
    void take(const std::string& option) {
        if (option == "--help" || option == "-h")
            line_.help = true;
        else if (option == "--table")
            line_.table = true;
        else if (option == "--brief")
            line_.brief = true;
        else if (option == "--set")
            line_.folders.push_back(value(option, "the folder of a data set"));
        else if (option == "--sets")
            line_.parents.push_back(value(option, "a folder with data sets below it"));
        else if (option == "-i")
            takeInputs();
        else if (option == "-e")
            once(option, line_.expected, value(option, "the file of the expected product"));
        else if (option == "-o")
            once(option, line_.output, value(option, "the file to write the product to"));
        else if (option == "-t")
            takeType();
        else
            throw InputError("'" + option + "' is not an option of this program; see --help");
    }

    std::string value(const std::string& option, const std::string& what) {
        if (next_ == arguments_.size() || arguments_[next_].empty())
            throw InputError(option + " needs a value; write " + what + " after it");
        return arguments_[next_++];
    }

    static void once(const std::string& option, std::string& target, const std::string& text) {
        if (!target.empty())
            throw InputError(option + " is given twice, as '" + target + "' and '" + text +
                             "'; keep one");
        target = text;
    }

    void takeInputs() {
        const std::string both = value("-i", "the two input files, such as M.raw,N.raw,");
        const std::size_t comma = both.find(',');
        const bool two = comma != std::string::npos && comma > 0 && comma + 1 < both.size() &&
                         both.find(',', comma + 1) == std::string::npos;
        if (!two)
            throw InputError("-i takes two files with a comma between, not '" + both +
                             "'; write them like M.raw,N.raw");
        once("-i", line_.inputM, both.substr(0, comma));
        line_.inputN = both.substr(comma + 1);
    }

    // Accepts libwb's -t for matrices and vectors, without effect: each file contains its shape.
    void takeType() {
        const std::string type = value("-t", "matrix or vector");
        if (type != "matrix" && type != "vector")
            throw InputError("-t " + type + " is not a type of product; write matrix or vector");
    }

    void checkTogether() const {
        const bool files = !line_.inputM.empty();
        if (!files && !line_.expected.empty())
            throw InputError("-e needs the inputs that it belongs to; add -i M.raw,N.raw");
        if (!files && !line_.output.empty())
            throw InputError("-o needs the inputs to multiply; add -i M.raw,N.raw");
        if (files && !(line_.folders.empty() && line_.parents.empty()))
            throw InputError("-i and --set exclude each other; keep one of them");
    }

    const std::vector<std::string>& arguments_;
    std::size_t next_ = 0;
    CommandLine line_;
};

}  // namespace

CommandLine parseCommandLine(const std::vector<std::string>& arguments) {
    return Parser(arguments).parse();
}

const char* helpText() {
    return "Runs the lab's kernel on a data set, and says whether the product is right.\n"
           "\n"
           "  (nothing)      one data set of the built-in catalogue\n"
           "  --set DIR      the data set in this folder: input0.raw, input1.raw and\n"
           "                 output.raw; may be repeated\n"
           "  --sets DIR     every data set below this folder, by name\n"
           "  --table        one line per data set; without --set, --sets or -i the whole\n"
           "                 catalogue\n"
           "  --brief        one line per data set, to compare labs\n"
           "  -i M,N         these two files (.raw, .dat or .npy)\n"
           "  -e FILE        their expected product; it is checked as well\n"
           "  -o FILE        where to write the product\n"
           "  -t TYPE        matrix or vector; accepted as in libwb, but not needed\n"
           "  --help         print this\n"
           "\n"
           "Exit status: 0 all is right; 1 the kernel is wrong; 2 wrong\n"
           "usage or input.\n";
}

}  // namespace harness
