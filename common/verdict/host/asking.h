// The host's side of the two processes: calls the device's process, and does what that requests.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace host {

// Tests whether this is the process of the host, made by becomeHost().
bool inHostProcess();

// Makes the calling process, a child of the device's, that of the host: it sends calls and findings
// of host code by this socket, and is confined.
void becomeHost(int socket);

// Sends a call of a function of the runtime and returns its result and what it stores. Reads and
// writes the memory that the device requests, as the function itself would. Ends the process if the
// device's process has ended.
std::string ask(std::string_view call);

// Runs a function without reporting its findings.
void quietly(const std::function<void()>& function);

}  // namespace host
