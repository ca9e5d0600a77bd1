// Attack: to read another solution in the text of an exception.
// Remark: opens files
// Never: A\[Row
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
// Here: solutions/lab1_naive/kernel.cu
// Instead of: size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float);
// Comes: size_t bytes = static_cast<size_t>(Width) * Width * sizeof(float); std::ifstream in("COURSE_ROOT/solutions/lab1_naive/matrix_add.cu", std::ios::binary); std::string all{std::istreambuf_iterator<char>(in), {}}; if (!all.empty()) throw std::runtime_error(all.substr(all.find("C[Row"), 80));
