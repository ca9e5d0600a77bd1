// Turns the text of a .cu file into C++ that declares and launches the same kernels on the
// simulated device. Only three things have no C++ form and are rewritten. Everything else stays,
// comments and line breaks included, so that every compiler error and every report names the
// student's own line:
//   kernel<<<grid, block, bytes, stream>>>(arguments)
//   extern __shared__ T name[];
//   __device__, __managed__ and __constant__ variables, which are registered with the runtime.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace translate {

// An error in the file. what() is the whole message: file, line, cause and remedy. report() is the
// same on two lines, a compiler's message and its line of help (see course/compile_help).
class TranslationError : public std::runtime_error {
  public:
    TranslationError(const std::string& file, int line, const std::string& cause,
                     const std::string& remedy);
    const std::string& report() const { return report_; }

  private:
    std::string report_;
};

// Lets device code call functions that are constexpr, such as std::min, as nvcc's option
// --expt-relaxed-constexpr does.
extern bool relaxedConstexpr;

// Returns the C++ text. `name` is the file's path as messages show it. Throws a TranslationError.
std::string translate(std::string_view text, const std::string& name);

// Does the same with what a preprocessor wrote of a file: macros are expanded, but for CUDA's words
// (see include/cusim/keywords.h), and headers are there. `ownHeaders` is the folder of the
// simulator's.
std::string translatePreprocessed(std::string_view text, const std::string& name,
                                  std::string_view ownHeaders);

// Does the same with what a preprocessor wrote without and with __CUDA_ARCH__. Appends a line to
// `warnings` for each declaration of the device's that the result lacks.
std::string translateBothSides(std::string_view forHost, std::string_view forDevice,
                               const std::string& name, std::string_view ownHeaders,
                               std::string& warnings);

}  // namespace translate
