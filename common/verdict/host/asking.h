// The host's side of the two processes: asks the device's process, and does what that asks for.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace host {

// Tests whether this is the process of the host, made by becomeHost().
bool inHostProcess();

// Lets the calling process, a child of the device's, be that of the host from now on: it asks by
// this socket, tells of what is wrong with host code, and is confined.
void becomeHost(int socket);

// Sends a call of a function of the runtime and returns its result and what it stores. Reads and
// writes the memory that the device asks for, as the function itself would. Ends the process where
// the device's has ended.
std::string ask(std::string_view call);

// Runs a function without telling of what it finds.
void quietly(const std::function<void()>& function);

}  // namespace host
