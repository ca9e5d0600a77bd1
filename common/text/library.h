// The headers of the C++ library that most host code includes. The build compiles this file once.
// Each file still includes what it uses, because other compilers read it without this one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>
