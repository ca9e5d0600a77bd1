// The scopes of libcu++: among which threads an atomic or a barrier orders.
#pragma once

#include "cuda_runtime.h"

namespace cuda {

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

}  // namespace cuda
