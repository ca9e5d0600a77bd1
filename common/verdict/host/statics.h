// Copies the variables of the student's file from the process of one call to that of the next, so
// that code that fails only the second time is found. Variables with a pointer into memory of the
// first process are initialized again.
#pragma once

#include <string_view>

#include "verdict/record/bytes.h"

namespace host {

// Notes the values of the variables before student code runs in this process.
void noteStatics();

// Appends the variables of the calling process, or that they cannot be copied.
void writeStatics(testing::ByteWriter& writer);

// Reads them, except those of the device, which this process has. Throws testing::Damaged.
void readStatics(testing::ByteReader& reader);

// Tests whether bytes at this address of the host's process are the file's variables as at the
// start of the program: tables from the compiler.
bool isAsAtStart(const void* from, std::string_view bytes);

// Tests whether the constructors of the student's file must run here: they run in no other process,
// unless their results were copied here.
bool hasConstructors();
void constructStatics();

}  // namespace host
