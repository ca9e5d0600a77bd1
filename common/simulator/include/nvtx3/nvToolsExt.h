// Stands in for the header of the same name of NVIDIA.
#include <nvToolsExt.h>
