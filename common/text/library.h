// What most files of the host include of the C++ library. The build compiles it once; each file
// still includes by itself what it uses, since other compilers read it without this one.
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
