// Attack: to read the hidden tests in the text of an exception.
// Remark: opens files
// Never: host_findings\.h|drawn::|no public test
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
// Here: solutions/lab1_naive/kernel.cu
// Instead of: size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
// Comes: size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float); std::ifstream in("solutions/hidden/lab1_naive/test_hidden.cpp", std::ios::binary); std::string all{std::istreambuf_iterator<char>(in), {}}; if (!all.empty()) throw std::runtime_error(all);
