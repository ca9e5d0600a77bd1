// Carries the variables of the student's file from the process of one call to that of the next, so
// that code which is wrong the second time is found to be. What holds a pointer into memory that
// only the first one had starts anew.
#pragma once

#include <string_view>

#include "verdict/record/bytes.h"

namespace host {

// Notes what the variables hold before the student's code runs in this process.
void noteStatics();

// Appends the variables of the calling process, or that they cannot be carried.
void writeStatics(testing::ByteWriter& writer);

// Takes them over, except those of the device, which this process has. Throws testing::Damaged.
void readStatics(testing::ByteReader& reader);

// Tests whether bytes at this address of the host's process are the file's variables as the program
// began with them: tables that a compiler has written.
bool isAsAtStart(const void* from, std::string_view bytes);

// Tests whether the student's file has constructors to be run here: they run in no other process,
// and what they have made may have been carried here.
bool hasConstructors();
void constructStatics();

}  // namespace host
