// While an object of this class lives, the host's code may read and write device memory: it does
// what a library would do there on a device. Means nothing within a kernel. In programs that cusim
// builds, and not in labs.
#pragma once

namespace cusim {

class DeviceCodeOnHost {
  public:
    DeviceCodeOnHost();
    ~DeviceCodeOnHost();
    DeviceCodeOnHost(const DeviceCodeOnHost&) = delete;
    DeviceCodeOnHost& operator=(const DeviceCodeOnHost&) = delete;
};

}  // namespace cusim
