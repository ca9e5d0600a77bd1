// Keeps student code in a recording program from doing what no lab needs; see guard.cpp.
#pragma once

namespace guard {

// Writes a sentence about an attempt of student code into the record.
void remark(const char* sentence);

// Writes that it tried this system call, once per call number.
void remarkOn(long call);

// Confines the calling process, a child of the recording program that runs the student's host code:
// it can no longer write the record or start a process. It reports attempts by this function.
void confineHost(void (*tell)(long call));

}  // namespace guard
