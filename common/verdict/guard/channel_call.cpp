#include "verdict/guard/channel_call.h"

#include <sys/syscall.h>

// Written in assembler at file level, so that one copy exists however the compiler inlines.
extern "C" {
__attribute__((visibility("hidden"))) long guardChannelCall(long channel, const void* bytes,
                                                            unsigned long size);
__attribute__((visibility("hidden"))) extern const char guardChannelCallEnd[];
}

#define TEXT_OF(number) #number
#define NUMBER_OF(number) TEXT_OF(number)

#if defined(__x86_64__)
#define SYSTEM_CALL "    mov $" NUMBER_OF(__NR_write) ", %eax\n    syscall\n"
#define FUNCTION "@function"
#elif defined(__aarch64__)
#define SYSTEM_CALL "    mov x8, #" NUMBER_OF(__NR_write) "\n    svc #0\n"
#define FUNCTION "%function"
#else
#error "the simulated device runs on x86-64 and arm64"
#endif

asm(".text\n"
    ".globl guardChannelCall, guardChannelCallEnd\n"
    ".hidden guardChannelCall, guardChannelCallEnd\n"
    ".type guardChannelCall, " FUNCTION
    "\n"
    "guardChannelCall:\n" SYSTEM_CALL
    "guardChannelCallEnd:\n"
    "    ret\n"
    ".size guardChannelCall, . - guardChannelCall\n");

namespace guard {

long channelCall(int channel, const char* bytes, std::size_t size) {
    return guardChannelCall(channel, bytes, size);
}

std::uintptr_t channelCallEnd() { return reinterpret_cast<std::uintptr_t>(guardChannelCallEnd); }

}  // namespace guard
