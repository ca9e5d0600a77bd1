// Error codes with CUDA's names and values.
#pragma once

enum cudaError {
#define CUSIM_ERROR(name, value, text) name = value,
#include "cusim/error_names.def"
#undef CUSIM_ERROR
};
using cudaError_t = cudaError;

const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
