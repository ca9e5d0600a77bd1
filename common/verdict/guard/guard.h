// What keeps student's code in a recording program from what no lab needs; see guard.cpp.
#pragma once

namespace guard {

// Writes a sentence about something that the student's code tried into the record.
void remark(const char* sentence);

// Writes that it tried this system call, once for each.
void remarkOn(long call);

// Confines the calling process, a child of the recording program that runs the student's host code:
// it may no more write the record or start a process. It tells of attempts by this function.
void confineHost(void (*tell)(long call));

}  // namespace guard
