// Captures everything that is printed to stdout while an object of this class lives.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

class CapturedOutput {
  public:
    CapturedOutput() {
        std::fflush(stdout);
        before_ = dup(STDOUT_FILENO);
        dup2(fileno(file_), STDOUT_FILENO);
    }
    ~CapturedOutput() {
        release();
        std::fclose(file_);
    }
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    // Ends the capture and returns its text.
    std::string text() {
        release();
        std::string out(static_cast<std::size_t>(std::ftell(file_)), '\0');
        std::rewind(file_);
        out.resize(std::fread(&out[0], 1, out.size(), file_));
        return out;
    }

  private:
    void release() {
        if (before_ < 0) return;
        std::fflush(stdout);
        dup2(before_, STDOUT_FILENO);
        close(before_);
        before_ = -1;
        std::fseek(file_, 0, SEEK_END);
    }

    std::FILE* file_ = std::tmpfile();
    int before_ = -1;
};
